/**
 * Where kubernetes-nodes differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";
import { hasPartOfCore, isNoGroup, noGroup, oneLine, partOfCore, talosReconcile } from "./node-pool.ts";

export const kubernetesNodes: readonly Deviation[] = [
  ...talosReconcile,
  oneLine,
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: hasPartOfCore,
    test: "refuses a part of a core",
    reason: partOfCore,
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: isNoGroup,
    test: "refuses a role that no label can have",
    reason: noGroup,
  },
];
