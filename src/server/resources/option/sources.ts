/**
 * Where the values of dropdowns come from: one source for each list of choices. The server reads them itself, so that
 * tenants need no rights on what is behind.
 */
import { Node, PersistentVolumeClaim, StorageClass } from "../../../kube/core-kinds.ts";
import { isRecord, valueAt } from "../../../kube/json.ts";
import type { AnyKind, Kind, KubeObject } from "../../../kube/object.ts";
import type { StoreScope } from "../../../kube/stores.ts";
import { PUBLIC } from "../../../platform/base-objects.ts";
import type { App } from "../../../sdk/app.ts";

export interface OptionItem {
  /** What is written into the spec. */
  readonly value: string;
  /** Title, where the value is not enough. */
  readonly label?: string;
  readonly description?: string;
  readonly default?: boolean;
}

export interface Source {
  readonly name: string;
  /** Whether the choices are the same everywhere. */
  readonly global: boolean;
  readonly uses: readonly { readonly kind: Kind<KubeObject>; readonly scope?: StoreScope }[];
  /** The choices from the objects of each kind; of one namespace, where they are not global. */
  items(...lists: readonly (readonly KubeObject[])[]): readonly OptionItem[];
}

const kind = (group: string, version: string, name: string, plural: string, namespaced: boolean): AnyKind => ({
  group,
  version,
  kind: name,
  plural,
  namespaced,
});

const KubeVirt = kind("kubevirt.io", "v1", "KubeVirt", "kubevirts", true);
const instancetypes = "instancetype.kubevirt.io";
const backups = "backups.cozystack.io";
const applications = "apps.cozystack.io";

const named = ({ metadata }: KubeObject): OptionItem => ({ value: metadata.name });
const names = (objects: readonly KubeObject[] = []): readonly OptionItem[] => objects.map(named);

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const texts = (values: readonly unknown[]): readonly string[] => values.filter((value) => typeof value === "string");

function gpus(kubevirts: readonly KubeObject[] = [], nodes: readonly KubeObject[] = []): readonly OptionItem[] {
  const devices = ["pciHostDevices", "mediatedDevices"].flatMap((form) =>
    list(valueAt(kubevirts[0], "spec", "configuration", "permittedHostDevices", form)),
  );
  return [...new Set(texts(devices.map((device) => valueAt(device, "resourceName"))))].map((value) => {
    const on = nodes
      .map((node) => ({ name: node.metadata.name, count: Number(valueAt(node, "status", "allocatable", value) ?? 0) }))
      .filter(({ count }) => count > 0);
    const total = on.reduce((sum, { count }) => sum + count, 0);
    const where = on.map(({ name }) => name).sort();
    const description = total > 0 ? `${total} available on ${where.join(",")}` : "not currently available on any node";
    return { value, description };
  });
}

const imagePrefix = "vm-default-images-";
const defaultClass = "storageclass.kubernetes.io/is-default-class";

function storageClass({ metadata }: KubeObject): OptionItem {
  const { name: value } = metadata;
  return metadata.annotations?.[defaultClass] === "true"
    ? { value, label: `${value} (default)`, default: true }
    : { value };
}

/** The names of the pools of object storage, of all zones. */
function pools(stores: readonly KubeObject[] = []): readonly OptionItem[] {
  const volumes = stores.map((store) => valueAt(store, "spec", "volume"));
  const zones = volumes.flatMap((volume) => {
    const all = valueAt(volume, "zones");
    return isRecord(all) ? Object.values(all) : [];
  });
  const found = [...volumes, ...zones].flatMap((place) => Object.keys(valueAt(place, "pools") ?? {}));
  return [...new Set(found)].map((value) => ({ value }));
}

function disk(object: KubeObject): OptionItem {
  const { name: value } = object.metadata;
  const size = valueAt(object, "spec", "storage");
  return size === undefined || size === "" ? { value } : { value, label: `${value} (${size})` };
}

function appKinds(apps: readonly App[], definitions: readonly KubeObject[] = []): readonly OptionItem[] {
  const own = apps.filter(({ group }) => group === applications).map((app) => app.kind);
  const others = texts(definitions.map((definition) => valueAt(definition, "spec", "application", "kind")));
  return [...new Set([...own, ...others])].map((value) => ({ value }));
}

/** All sources. */
export function optionSources(apps: readonly App[]): readonly Source[] {
  const global = true;
  const inNamespace = { global: false } as const;
  const one = (of: AnyKind) => [{ kind: of }];
  return [
    {
      name: "gpu",
      global,
      uses: [{ kind: KubeVirt, scope: { namespace: "cozy-kubevirt" } }, { kind: Node }],
      items: gpus,
    },
    {
      name: "instancetype",
      global,
      uses: one(
        kind(
          instancetypes,
          "v1beta1",
          "VirtualMachineClusterInstancetype",
          "virtualmachineclusterinstancetypes",
          false,
        ),
      ),
      items: names,
    },
    {
      name: "instanceprofile",
      global,
      uses: one(
        kind(instancetypes, "v1beta1", "VirtualMachineClusterPreference", "virtualmachineclusterpreferences", false),
      ),
      items: names,
    },
    {
      name: "image",
      global,
      uses: [{ kind: PersistentVolumeClaim, scope: { namespace: PUBLIC } }],
      items: (claims = []) =>
        claims
          .filter(({ metadata }) => metadata.name.startsWith(imagePrefix))
          .map(({ metadata }) => ({ value: metadata.name.slice(imagePrefix.length) })),
    },
    { name: "storageclass", global, uses: one(StorageClass), items: (classes = []) => classes.map(storageClass) },
    {
      name: "backupclass",
      global,
      uses: one(kind(backups, "v1alpha1", "BackupClass", "backupclasses", false)),
      items: names,
    },
    {
      name: "appkind",
      global,
      uses: one(kind("cozystack.io", "v1alpha1", "ApplicationDefinition", "applicationdefinitions", false)),
      items: (definitions) => appKinds(apps, definitions),
    },
    {
      name: "network",
      ...inNamespace,
      uses: one(kind("k8s.cni.cncf.io", "v1", "NetworkAttachmentDefinition", "network-attachment-definitions", true)),
      items: names,
    },
    {
      name: "storagepool",
      ...inNamespace,
      uses: one(kind(applications, "v1alpha1", "SeaweedFS", "seaweedfses", true)),
      items: pools,
    },
    {
      name: "vmdisk",
      ...inNamespace,
      uses: one(kind(applications, "v1alpha1", "VMDisk", "vmdisks", true)),
      items: (disks = []) => disks.map(disk),
    },
    { name: "plan", ...inNamespace, uses: one(kind(backups, "v1alpha1", "Plan", "plans", true)), items: names },
    { name: "backup", ...inNamespace, uses: one(kind(backups, "v1alpha1", "Backup", "backups", true)), items: names },
  ];
}
