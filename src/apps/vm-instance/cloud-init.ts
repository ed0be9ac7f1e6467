/**
 * What the guest reads at its first start: the user's own document, or one that lets the SSH keys in.
 */
import { Secret } from "../../contracts/core.ts";
import type { AppInput } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import type { Spec } from "./spec.ts";

export const sshSecret = (release: string): string => `${release}-ssh-keys`;
export const cloudInitSecret = (release: string): string => `${release}-cloud-init`;

/** Whether the machine gets a cloud-init disk. */
export const hasCloudInit = (spec: Spec): boolean => spec.cloudInit !== "" || spec.sshKeys.length > 0;

/** Characters that would end or break a double-quoted YAML text, or that a YAML 1.1 reader refuses or folds. */
const unsafe = /["\\\p{Cc}\p{Cs}\u2028\u2029\ufeff\ufffe\uffff]/gu;

const escaped = (character: string): string =>
  character === '"' || character === "\\"
    ? `\\${character}`
    : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text as a double-quoted YAML scalar, on one line whatever it holds. */
export function yamlText(text: string): string {
  return `"${text.replace(unsafe, escaped)}"`;
}

/** The document that lets `keys` in. The end of a key's line is not part of the key. */
export function sshKeysDocument(keys: readonly string[]): string {
  const items = keys.map((key) => `  - ${yamlText(key.replace(/[\r\n]+$/, ""))}`);
  return ["#cloud-config", "ssh_authorized_keys:", ...items, ""].join("\n");
}

/** The Secrets that the machine mounts. */
export function cloudInit({ release, spec }: AppInput<Spec>): readonly Rendered[] {
  const { sshKeys } = spec;
  const keys = Object.fromEntries(sshKeys.map((key, index) => [`key${index}`, key]));
  const userdata = spec.cloudInit === "" ? sshKeysDocument(sshKeys) : spec.cloudInit;
  return [
    ...(sshKeys.length === 0 ? [] : [Secret(sshSecret(release), { stringData: keys })]),
    ...(hasCloudInit(spec) ? [Secret(cloudInitSecret(release), { stringData: { userdata } })] : []),
  ];
}
