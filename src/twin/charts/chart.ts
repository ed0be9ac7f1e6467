/**
 * Third-party charts that Flux installs: what each makes of a release, as far as the twin needs it.
 */
import type { KubeObject } from "../../kube/object.ts";
import type { Scene } from "../player.ts";

/** A release as a chart sees it. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly values: unknown;
  /** See Scene. */
  readonly token: Scene["token"];
}

/** The objects of a release. Their kinds are among those that the player of HelmReleases makes. */
export type Chart = (release: Release) => readonly KubeObject[];

/** Annotation of what Helm leaves in place when the release goes. */
export const keptByHelm = { "helm.sh/resource-policy": "keep" } as const;

/** A value that is a text or a number, as text. */
export const textOf = (value: unknown, fallback: string): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : fallback;
