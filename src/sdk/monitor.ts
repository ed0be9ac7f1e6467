/**
 * WorkloadMonitors: which pods make an application operational.
 */
import { WorkloadMonitor } from "../contracts/cozystack-io.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Monitor } from "./app.ts";
import type { AppContext } from "./context.ts";

/** Label with the resources preset of the monitored pods, also where explicit resources override it. */
export const presetLabel = "workloads.cozystack.io/resource-preset";

/** The object of a {@link Monitor} of an application of kind `kind` in `namespace`. */
export function workloadMonitor(
  monitor: Monitor,
  application: { readonly kind: string; readonly namespace: string },
  context: Pick<AppContext, "chartVersion">,
): KubeObject {
  const kind = monitor.kind ?? application.kind.toLowerCase();
  const labels = {
    ...monitor.labels,
    ...(monitor.preset === undefined ? {} : { [presetLabel]: monitor.preset }),
  };
  return WorkloadMonitor(monitor.name, {
    ...(monitor.withNamespace === true ? { namespace: application.namespace } : {}),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    spec: {
      kind,
      type: monitor.type ?? kind,
      version: context.chartVersion,
      ...(monitor.replicas === undefined ? {} : { replicas: monitor.replicas }),
      minReplicas: monitor.minReplicas,
      selector: monitor.selector,
    },
  });
}

/** The monitor of an application that is a number of like servers: one of them makes it operational. */
export function serversMonitor(
  input: { readonly release: string; readonly spec: { readonly replicas: number; readonly resourcesPreset: string } },
  selector: Readonly<Record<string, string>>,
): Monitor {
  const { release, spec } = input;
  return { name: release, replicas: spec.replicas, minReplicas: 1, selector, preset: spec.resourcesPreset };
}
