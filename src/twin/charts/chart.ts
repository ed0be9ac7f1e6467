/**
 * Third-party charts that Flux installs: what each makes of a release, as far as the twin needs it.
 */
import type { KubeObject } from "../../kube/object.ts";

/** A release as a chart sees it. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  readonly values: unknown;
}

/** The objects of a release. Their kinds are among those that the player of HelmReleases makes. */
export type Chart = (release: Release) => readonly KubeObject[];
