/** Which storage classes the cluster has: those of this one whose volumes machines on any node can use. */
import type { StorageClassObject } from "../../../contracts/storage-k8s-io.ts";
import type { Values } from "./values.ts";

const provisioner = "linstor.csi.linbit.com";

/** The class that clusters always had. */
const former = "kubevirt";
const usual = "replicated";

/** Whether clusters get a class of the same name: its volumes can be used on any node. */
export const propagated = (one: StorageClassObject): boolean =>
  one.provisioner === provisioner && one.parameters?.[`${provisioner}/allowRemoteVolumeAccess`] !== "false";

/** Values of the chart: a class of the same name for each, one of them the default, and the former name as another one. */
export function storageClasses(configured: string, live: readonly StorageClassObject[]): Values {
  const found = live
    .filter(propagated)
    .map(({ metadata }) => metadata.name)
    .sort();
  const names = found.length === 0 ? [usual] : found;
  const chosen = [configured, usual].find((name) => names.includes(name)) ?? names[0];
  const all = names.map((name) => [name, { infraStorageClass: name, default: name === chosen }] as const);
  const alias = { infraStorageClass: configured === "" ? usual : configured, default: false };
  return { ...(names.includes(former) ? {} : { [former]: alias }), ...Object.fromEntries(all) };
}
