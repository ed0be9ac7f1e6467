/** What machines and their control plane share: generated once for a cluster, kept in its Secret. */
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { alphanumeric, type GeneratedSecret, type Generator, generatedSecret } from "../needs.ts";
import type { TalosSecrets } from "./live.ts";

/** Name of a cluster's Secret with them, by its Cluster API name. */
export const talosSecretName = (cluster: string): string => `${cluster}-talos-secrets`;

const letters = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `length` characters of a-z and 0-9, each equally likely. */
function lowerCase(length: number): Generator {
  return (random) => {
    let text = "";
    while (text.length < length) {
      // 252 is the largest multiple of 36 below 256.
      for (const byte of random(length)) if (byte < 252 && text.length < length) text += letters[byte % 36];
    }
    return text;
  };
}

/** The form of kubeadm's tokens. */
const token: Generator = (random) => `${lowerCase(6)(random)}.${lowerCase(16)(random)}`;

/** Only the token by which new machines join can be made anew: by the others, machines that exist know their cluster. */
export const talosSecretNeed = (cluster: string) =>
  generatedSecret(
    talosSecretName(cluster),
    {
      token,
      clusterId: alphanumeric(32),
      clusterSecret: alphanumeric(32),
      bootstrapTokenId: lowerCase(6),
      bootstrapTokenSecret: lowerCase(16),
    },
    { rotate: ["bootstrapTokenId", "bootstrapTokenSecret"] },
  );

export interface AllTalosSecrets extends TalosSecrets {
  readonly bootstrapTokenId: string;
  readonly bootstrapTokenSecret: string;
}

/** Undefined where one of the texts is missing, which no machine could start with. */
function complete(values: Readonly<Record<string, string>>): AllTalosSecrets | undefined {
  const { token: shared, clusterId, clusterSecret, bootstrapTokenId, bootstrapTokenSecret } = values;
  if (!shared || !clusterId || !clusterSecret || !bootstrapTokenId || !bootstrapTokenSecret) return undefined;
  const bootstrapToken = `${bootstrapTokenId}.${bootstrapTokenSecret}`;
  return { token: shared, clusterId, clusterSecret, bootstrapTokenId, bootstrapTokenSecret, bootstrapToken };
}

/** Of a Secret that another application has. */
export function secretsOf(secret: SecretObject | undefined): AllTalosSecrets | undefined {
  const decoded = Object.entries(secret?.data ?? {}).map(([key, value]) => [
    key,
    Buffer.from(value, "base64").toString("utf8"),
  ]);
  return complete(Object.fromEntries(decoded));
}

/** Of the cluster's own, which is complete: what it lacks was generated. */
export function ownSecrets(generated: GeneratedSecret): AllTalosSecrets {
  const own = complete(generated.values);
  if (own === undefined) throw new Error(`the Secret ${generated.name} was not generated completely`);
  return own;
}

/** The Secret. */
export function talosSecret(
  cluster: string,
  secrets: AllTalosSecrets,
  metadata: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
) {
  const data = Object.entries({ ...secrets }).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return Secret(talosSecretName(cluster), { ...metadata, type: "Opaque", data: Object.fromEntries(data) });
}
