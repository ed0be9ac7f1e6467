/**
 * Credentials for a registry of images, written into a spec as the content of a docker configuration. Upstream's charts read
 * it without having it in their schemas.
 */
import { type TOptional, type TUnsafe, Type } from "typebox";
import { Secret } from "../contracts/core.ts";
import type { Rendered } from "./manifest.ts";

type DockerConfig = Readonly<Record<string, unknown>>;

const nameOf = (release: string): string => `${release}-regsecret`;

/** The field `registrySecret` of a spec. */
export function registrySecretField(): TOptional<TUnsafe<DockerConfig>> {
  return Type.Optional(
    Type.Unsafe<DockerConfig>({
      type: "object",
      "x-kubernetes-preserve-unknown-fields": true,
      description: "Content of a docker configuration, kept in the Secret `<release>-regsecret`.",
    }),
  );
}

/** The Secret; nothing where the field is absent or empty. */
export function registrySecret(release: string, config: DockerConfig | undefined): readonly Rendered[] {
  if (config === undefined || Object.keys(config).length === 0) return [];
  const stringData = { ".dockerconfigjson": `${JSON.stringify(sorted(config))}\n` };
  return [Secret(nameOf(release), { type: "kubernetes.io/dockerconfigjson", stringData })];
}

/** What a pod says to use it. The Secret need not exist. */
export function registrySecretRef(release: string): readonly { readonly name: string }[] {
  return [{ name: nameOf(release) }];
}

/** The value with the keys of its objects in order, so that the order of a manifest does not show. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, entry]) => [key, sorted(entry)]));
}
