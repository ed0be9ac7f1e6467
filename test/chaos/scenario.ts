/**
 * A scenario: what users do to applications, step by step. Faults are put under it; its end state must not depend on them.
 */
import type { Client } from "../../src/kube/client.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";

export interface Place {
  readonly admin: Client;
  /** The namespace of this run; no other run touches it. */
  readonly namespace: string;
}

export interface Step {
  readonly title: string;
  act(place: Place): Promise<void>;
  /** What must be true in the end, where no generation tells that the controller has seen the step. */
  until?(place: Place): Promise<boolean>;
}

export interface Scenario {
  readonly name: string;
  readonly apps: readonly App[];
  readonly steps: readonly Step[];
  /** Namespaces that the scenario makes, each named as the run's own with a dash and this. */
  readonly children?: readonly string[];
  /** Objects that must live through it all, as `Kind name`; all others may come and go. */
  readonly steady: readonly string[];
  /** Keys of Secrets that may change, as `name/key`, because a step rotates them. */
  readonly rotated?: readonly string[];
}

/** Creates the application. */
export function create(title: string, kind: AnyKind, object: (namespace: string) => KubeObject): Step {
  return {
    title,
    async act({ admin, namespace }) {
      await admin.create(kind, object(namespace));
    },
  };
}

/** Changes the application by a merge patch. */
export function change(title: string, kind: AnyKind, name: string, patch: object): Step {
  return {
    title,
    async act({ admin, namespace }) {
      await admin.mergePatch(kind, name, namespace, patch);
    },
  };
}

/** Deletes the application. */
export function remove(title: string, kind: AnyKind, name: string): Step {
  return {
    title,
    async act({ admin, namespace }) {
      await admin.delete(kind, name, namespace);
    },
  };
}
