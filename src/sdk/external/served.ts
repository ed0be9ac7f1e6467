/**
 * Which definitions are served, as which applications, and what keeps the others from it. Pure, and the same in every
 * process: the older of two definitions that want the same name has it.
 */
import type { TObject } from "typebox";
import type { Definition } from "../../contracts/application-definition.ts";
import { StructuralSchemaError } from "../../kube/structural-schema.ts";
import type { App } from "../app.ts";
import { appsGroup } from "../define-app.ts";
import { externalApp } from "./external-app.ts";
import { isModule, type OptionProblem, optionProblems } from "./options.ts";
import { SchemaProblem, valuesSchema } from "./schema.ts";

export interface DefinitionProblem {
  readonly reason:
    | "KindTaken"
    | "PluralTaken"
    | "PrefixTaken"
    | "NameInvalid"
    | "SchemaInvalid"
    | OptionProblem["reason"];
  readonly message: string;
}

/** What becomes of one definition. */
export interface Verdict {
  /** Absent: it is not served. */
  readonly app?: App;
  /** The schema cannot be used: what is served already stays as it is, nothing new is served. */
  readonly schemaProblem?: DefinitionProblem;
  /** All others. */
  readonly problems: readonly DefinitionProblem[];
}

const kindForm = /^[A-Z][A-Za-z0-9]{0,62}$/;
const pluralForm = /^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$/;

interface Taken {
  readonly by: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly prefix: string;
  readonly module: boolean;
}

function takenBy(app: App): Taken {
  const { kind, plural, singular, release: prefix, module } = app;
  return { by: `the platform's own ${kind}`, kind, plural, singular, prefix, module };
}

function wantedBy(definition: Definition): Taken {
  const { kind, plural, singular } = definition.spec.application;
  const { prefix } = definition.spec.release;
  return { by: `definition ${definition.metadata.name}`, kind, plural, singular, prefix, module: isModule(definition) };
}

function nameProblem({ kind, plural, singular }: Taken): DefinitionProblem | undefined {
  const field = "spec.application";
  if (!kindForm.test(kind)) {
    return {
      reason: "NameInvalid",
      message: `${field}.kind: ${kind} is no kind; use letters and digits, beginning with an upper case letter`,
    };
  }
  const wrong = [["plural", plural] as const, ["singular", singular] as const].find(
    ([, name]) => !pluralForm.test(name),
  );
  if (wrong === undefined) return undefined;
  const [name, value] = wrong;
  return {
    reason: "NameInvalid",
    message: `${field}.${name}: ${value} is not possible; use lower case letters, digits and dashes`,
  };
}

function collision(wanted: Taken, others: readonly Taken[]): DefinitionProblem | undefined {
  for (const other of others) {
    if (wanted.kind.toLowerCase() === other.kind.toLowerCase()) {
      return {
        reason: "KindTaken",
        message: `spec.application.kind: ${wanted.kind} is the kind of ${other.by}; choose another`,
      };
    }
    const names = [other.plural, other.singular, `${other.kind.toLowerCase()}list`];
    const name = [wanted.plural, wanted.singular].find((each) => names.includes(each));
    if (name !== undefined) {
      return { reason: "PluralTaken", message: `spec.application: ${name} is a name of ${other.by}; choose another` };
    }
    // Modules have no prefix: their names are fixed, and each has its own.
    const shared = wanted.prefix === "" && wanted.module;
    if (wanted.prefix === other.prefix && !shared) {
      return {
        reason: "PrefixTaken",
        message: `spec.release.prefix: ${JSON.stringify(wanted.prefix)} is the prefix of ${other.by}: applications of the same name would share a release; choose another`,
      };
    }
  }
  return undefined;
}

const anyValues = (): TObject => valuesSchema("");

function verdictOn(definition: Definition): Verdict {
  const problems = optionProblems(definition);
  try {
    const app = externalApp(definition, valuesSchema(definition.spec.application.openAPISchema));
    app.crd();
    return { app, problems };
  } catch (error) {
    if (!(error instanceof SchemaProblem || error instanceof StructuralSchemaError)) throw error;
    const message = `spec.application.openAPISchema ${error.message}`;
    return {
      app: externalApp(definition, anyValues()),
      schemaProblem: { reason: "SchemaInvalid", message },
      problems,
    };
  }
}

/** Served applications by the name of their definition; each is the same value as long as its definition says the same. */
export class ServedDefinitions {
  readonly #builtin: readonly Taken[];
  readonly #known = new Map<string, { readonly text: string; readonly verdict: Verdict }>();

  /** `builtin`: the applications that the program has itself. */
  constructor(builtin: readonly App[]) {
    this.#builtin = builtin.filter(({ group }) => group === appsGroup).map(takenBy);
  }

  /** A verdict on each definition, by name. */
  judge(definitions: readonly Definition[]): ReadonlyMap<string, Verdict> {
    const taken: Taken[] = [...this.#builtin];
    const verdicts = new Map<string, Verdict>();
    for (const definition of [...definitions].sort(byAge)) {
      const wanted = wantedBy(definition);
      const problem = nameProblem(wanted) ?? collision(wanted, taken);
      const { name } = definition.metadata;
      if (problem !== undefined) {
        verdicts.set(name, { problems: [problem] });
        continue;
      }
      taken.push(wanted);
      verdicts.set(name, this.#verdict(definition));
    }
    for (const name of this.#known.keys()) if (!verdicts.has(name)) this.#known.delete(name);
    return verdicts;
  }

  #verdict(definition: Definition): Verdict {
    const { name, uid, annotations = {} } = definition.metadata;
    const said = Object.entries(annotations).filter(([key]) => key.startsWith("release.cozystack.io/"));
    const text = JSON.stringify([uid, definition.spec, said.sort()]);
    const known = this.#known.get(name);
    if (known?.text === text) return known.verdict;
    const verdict = verdictOn(definition);
    this.#known.set(name, { text, verdict });
    return verdict;
  }
}

function byAge({ metadata: a }: Definition, { metadata: b }: Definition): number {
  const key = ({ creationTimestamp = "", name }: Definition["metadata"]) => `${creationTimestamp} ${name}`;
  return key(a) < key(b) ? -1 : 1;
}
