/**
 * The annotation by which pods restart when the configuration changes that they have read. A running Deployment that is taken
 * over keeps the value it has until its configuration is another one: the former value was made of another text for the same.
 */
import type { DeploymentObject } from "../contracts/apps.ts";

const checksum = "checksum/config";

/** On a Deployment that was taken over: the checksum that the kept one stands for. */
const standsFor = "internal.cozystack.io/checksum-stands-for";

/** On every object of ours. */
const owner = "internal.cozystack.io/owner";

export interface Checksum {
  /** Annotations of the pods. */
  readonly pods: Readonly<Record<string, string>>;
  /** Annotations of the Deployment itself; mostly none. */
  readonly annotations?: Readonly<Record<string, string>>;
}

/** For a Deployment whose configuration has the checksum `fresh`. `live`: the Deployment as it is. */
export function keptChecksum(fresh: string, live: DeploymentObject | undefined): Checksum {
  const annotations = live?.metadata.annotations ?? {};
  const former = live?.spec.template.metadata?.annotations?.[checksum];
  const isTakenOver = annotations[owner] === undefined || annotations[standsFor] === fresh;
  if (former === undefined || former === fresh || !isTakenOver) return { pods: { [checksum]: fresh } };
  return { pods: { [checksum]: former }, annotations: { [standsFor]: fresh } };
}
