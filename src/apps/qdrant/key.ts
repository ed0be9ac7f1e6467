/** The key of clients: made here and brought to the chart, so that it can be kept, and made anew when asked for. */

import { Secret, type SecretObject } from "../../contracts/core.ts";
import { secretText } from "../../kube/secret-text.ts";
import { watchedValues } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret, optional } from "../../sdk/needs.ts";
import type { Input } from "./spec.ts";

/** The chart's Secret, which clients read, and our own with the chart's value. */
export const clientSecret = (release: string): string => `${release}-apikey`;
export const keySecret = (release: string): string => `${release}-key`;

const field = "api-key";

export function keyNeeds({ release }: Input) {
  return {
    key: generatedSecret(keySecret(release), { [field]: alphanumeric(32) }),
    made: optional(Secret, clientSecret(release)),
  };
}

interface Known {
  readonly key: GeneratedSecret;
  readonly made: SecretObject | undefined;
}

/** Where there was none of ours before, the key that the chart made for itself is the one that clients have. */
function keyOf({ key, made }: Known): string {
  const former = key.existing.size === 0 ? secretText(made, field) : "";
  const current = former === "" ? key.values[field] : former;
  if (current === undefined) throw new Error("no key was generated");
  return current;
}

export function key({ release }: Input, known: Known): Rendered {
  const apiKey = keyOf(known);
  // JSON is YAML, whatever the texts in it.
  const values = JSON.stringify({ qdrant: { apiKey } });
  return Secret(keySecret(release), { labels: watchedValues, stringData: { [field]: apiKey, "values.yaml": values } });
}
