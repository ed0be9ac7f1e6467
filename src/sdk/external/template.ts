/**
 * Names with places for the application's own, as Go templates write them: `postgres-{{ .name }}-app`. Nothing else of that
 * language is understood: whatever could compute is refused rather than guessed.
 */

/** What a template may name. `kind` in lower case. */
export interface NameParts {
  readonly name: string;
  readonly kind: string;
  readonly namespace: string;
}

const parts = ["name", "kind", "namespace"] as const;
const action = /\{\{-?\s*(.*?)\s*-?\}\}/gs;

/** What is wrong with a template; undefined when it can be filled in. */
export function templateProblem(template: string): string | undefined {
  const rest = template.replace(action, "");
  if (rest.includes("{{") || rest.includes("}}"))
    return `${JSON.stringify(template)} has an opening or closing brace too many`;
  for (const [, inner = ""] of template.matchAll(action)) {
    if (!parts.some((part) => inner === `.${part}`)) {
      return `${JSON.stringify(template)}: {{ ${inner} }} is not possible; use {{ .name }}, {{ .kind }} or {{ .namespace }}`;
    }
  }
  return undefined;
}

/** The name that a template gives; undefined for one that has a problem. */
export function filledIn(template: string, values: NameParts): string | undefined {
  if (templateProblem(template) !== undefined) return undefined;
  return template.replace(action, (_, inner: string) => {
    const part = parts.find((each) => inner === `.${each}`);
    return part === undefined ? "" : values[part];
  });
}
