/**
 * Stands in for the values of Secrets. A copied Secret has the same keys, and for each value another one of the same size,
 * which is a digest of it under a key that nobody keeps: equal values stay equal, and nothing can be read from them. What they
 * stand for is known in this process's memory alone, so that what is rendered of Secrets is what it would be.
 */
import { createHmac, randomBytes } from "node:crypto";
import { isRecord } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";

/** Of Helm, as large as a Secret can be, and read by nobody in a rehearsal. */
const RELEASE_TYPE = "helm.sh/release.v1";

/** Of ServiceAccounts: beside the token they have what everybody may know, by which Kubernetes tells whether they are complete. */
const TOKEN_TYPE = "kubernetes.io/service-account-token";
const PUBLIC_OF_TOKENS: ReadonlySet<string> = new Set(["ca.crt", "namespace"]);

/** Repeats what was applied, values and all. */
const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

interface Pair {
  readonly standIn: string;
  readonly value: string;
}

export interface StandIns {
  /** The Secret, or a patch of it, with stand-ins; their values are remembered. */
  hide<T extends object>(secret: T, name: string, namespace: string | undefined): T;
  /** The Secret with the values that its stand-ins stand for; others are as they are. */
  show<T extends KubeObject>(secret: T): T;
  /** One value, encoded as in `data`. */
  hideValue(at: SecretValue, value: string): string;
  /** How many values are remembered. */
  readonly size: number;
  /** Forgets every value. */
  clear(): void;
}

export interface SecretValue {
  readonly name: string;
  readonly namespace: string | undefined;
  readonly key: string;
}

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes).toString("base64");

/** A new set, with a key of its own. */
export function standIns(key: Uint8Array = randomBytes(32)): StandIns {
  const known = new Map<string, Pair>();
  const place = ({ namespace = "", name, key: entry }: SecretValue): string => `${namespace}/${name}/${entry}`;

  function hideValue(at: SecretValue, value: string): string {
    const before = known.get(place(at));
    // A stand-in that comes back as it was shown to nobody.
    if (before?.standIn === value) return value;
    const standIn = base64(standInFor(key, Buffer.from(value, "base64")));
    known.set(place(at), { standIn, value });
    return standIn;
  }

  function hide<T extends object>(secret: T, name: string, namespace: string | undefined): T;
  // What is replaced has the type that it had: the overload states it, here and only here.
  function hide(secret: object, name: string, namespace: string | undefined): object {
    if (!isRecord(secret)) return secret;
    if (secret["type"] === RELEASE_TYPE) return withoutLastApplied({ ...secret, data: emptied(secret["data"]) });
    const hidden: Record<string, unknown> = { ...secret };
    const texts = isRecord(secret["stringData"]) ? secret["stringData"] : {};
    const encoded = Object.fromEntries(
      Object.entries(texts).map(([entry, text]) => [entry, typeof text === "string" ? base64(text) : text]),
    );
    delete hidden["stringData"];
    const isPublic = (entry: string): boolean => secret["type"] === TOKEN_TYPE && PUBLIC_OF_TOKENS.has(entry);
    if (isRecord(secret["data"]) || Object.keys(encoded).length > 0) {
      const all = { ...(isRecord(secret["data"]) ? secret["data"] : {}), ...encoded };
      hidden["data"] = Object.fromEntries(
        Object.entries(all).map(([entry, value]) => [
          entry,
          // null takes a key away, in a patch.
          typeof value === "string" && !isPublic(entry) ? hideValue({ name, namespace, key: entry }, value) : value,
        ]),
      );
    }
    return withoutLastApplied(hidden);
  }

  function show<T extends KubeObject>(secret: T): T;
  function show(secret: KubeObject & { readonly data?: unknown }): object {
    const { data } = secret;
    if (!isRecord(data)) return secret;
    const { name, namespace } = secret.metadata;
    const shown = Object.entries(data).map(([entry, value]) => {
      const pair = known.get(place({ name, namespace, key: entry }));
      return [entry, pair?.standIn === value ? pair?.value : value];
    });
    return { ...secret, data: Object.fromEntries(shown) };
  }

  return {
    hide,
    show,
    hideValue,
    get size() {
      return known.size;
    },
    clear: () => known.clear(),
  };
}

function emptied(data: unknown): object {
  return isRecord(data) ? Object.fromEntries(Object.keys(data).map((entry) => [entry, ""])) : {};
}

function withoutLastApplied(secret: Readonly<Record<string, unknown>>): object {
  const { metadata } = secret;
  if (!isRecord(metadata) || !isRecord(metadata["annotations"])) return secret;
  const { [LAST_APPLIED]: _, ...annotations } = metadata["annotations"];
  return { ...secret, metadata: { ...metadata, annotations } };
}

/** Bytes of the same number. JSON stays JSON where there is room: the API server looks into some values. */
function standInFor(key: Uint8Array, value: Buffer): Buffer {
  const [open, close] = ['{"standIn":"', '"}'];
  const wrapping = open.length + close.length;
  if (!isJsonObject(value)) return Buffer.from(filler(key, value, value.length));
  if (value.length < wrapping) return Buffer.from("{}".padEnd(value.length));
  return Buffer.from(`${open}${filler(key, value, value.length - wrapping)}${close}`);
}

function isJsonObject(value: Buffer): boolean {
  // `{` and its end, before anything is parsed: most values are no JSON.
  if (value[0] !== 0x7b) return false;
  try {
    return isRecord(JSON.parse(value.toString("utf8")));
  } catch {
    return false;
  }
}

function filler(key: Uint8Array, value: Buffer, length: number): string {
  const digest = createHmac("sha256", key).update(value).digest("hex");
  return digest.repeat(Math.ceil(length / digest.length)).slice(0, length);
}
