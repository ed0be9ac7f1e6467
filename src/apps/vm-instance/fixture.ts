/** For the tests of this folder: instance types, profiles and disks that exist. */
import { DataVolume } from "../../contracts/cdi-kubevirt-io.ts";
import {
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
} from "../../contracts/instancetype-kubevirt-io.ts";

export const disk = (name: string, optical?: string) =>
  DataVolume(`vm-disk-${name}`, {
    ...(optical === undefined ? {} : { annotations: { "vm-disk.cozystack.io/optical": optical } }),
    spec: { source: { blank: {} } },
  });

export const catalogue = [
  ...["u1.medium", "u1.large"].map((name) =>
    VirtualMachineClusterInstancetype(name, { spec: { cpu: { guest: 1 }, memory: { guest: "4Gi" } } }),
  ),
  ...["ubuntu", "windows.11"].map((name) => VirtualMachineClusterPreference(name, { spec: {} })),
];
