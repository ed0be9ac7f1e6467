/** Virtual machines that super-admins write themselves. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { CustomResourceDefinition } from "../../../src/kube/core-kinds.ts";
import { valueAt } from "../../../src/kube/json.ts";
import { eventually } from "../../support/eventually.ts";
import { places } from "../support/cluster.ts";
import { admin, dryRun, type Loose, loose, namespace, refusedBy, strongest } from "./people.ts";

/** The twin's definition has the fields that we write; KubeVirt's has all. */
async function takeAllFields(): Promise<void> {
  const name = "virtualmachines.kubevirt.io";
  const live = await admin.get(CustomResourceDefinition, name);
  const versions = valueAt(live, "spec", "versions");
  assert.ok(Array.isArray(versions));
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const path = "/spec/versions/0/schema/openAPIV3Schema";
  await admin.jsonPatch(CustomResourceDefinition, name, undefined, [{ op: "replace", path, value: open }]);
  await eventually("the new schema is in force", async () => {
    const spec = { runStrategy: "Halted", template: { spec: { domain: { devices: {} } } }, unknown: true };
    const tried = { ...Machine("schema", { namespace }), spec };
    return valueAt(await admin.create(Machine, tried, { ...dryRun, fieldValidation: "Ignore" }), "spec", "unknown");
  });
}
const Machine = loose("kubevirt.io", "v1", "VirtualMachine", "virtualmachines");
await takeAllFields();

describe("virtual machines that super-admins write themselves", () => {
  interface Attack {
    readonly what: string;
    readonly volumes?: readonly Loose[];
    readonly template?: Loose;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly disks?: readonly Loose[];
    readonly says: RegExp;
  }
  const volume = (what: string, source: Loose): Attack => ({
    what,
    volumes: [{ name: "v", ...source }],
    says: /may not read Secrets, ConfigMaps, accounts or files of the host/,
  });
  const annotation = (what: string, key: string, value: string): Attack => ({
    what,
    annotations: { [key]: value },
    says: /template\.metadata\.annotations/,
  });
  const disk = (what: string, spec: Loose): Attack => ({
    what,
    disks: [{ metadata: { name: "d" }, spec: { storage: {}, ...spec } }],
    says: /disks are copied from this namespace or from cozy-public/,
  });
  const attacks: readonly Attack[] = [
    volume("a Secret as a disk", { secret: { secretName: "cozystack-values" } }),
    volume("a ConfigMap as a disk", { configMap: { name: "kube-root-ca.crt" } }),
    volume("an account as a disk", { serviceAccount: { serviceAccountName: places.own } }),
    volume("sysprep of a Secret", { sysprep: { secret: { name: "cozystack-values" } } }),
    volume("a file of the host", { hostDisk: { path: "/dev/sda", type: "Disk" } }),
    volume("cloud-init of a Secret", { cloudInitNoCloud: { secretRef: { name: "cozystack-values" } } }),
    volume("network data of a Secret", {
      cloudInitConfigDrive: { networkDataSecretRef: { name: "cozystack-values" } },
    }),
    {
      what: "keys of a Secret",
      template: {
        accessCredentials: [
          {
            sshPublicKey: {
              source: { secret: { secretName: "cozystack-values" } },
              propagationMethod: { noCloud: {} },
            },
          },
        ],
      },
      says: /accessCredentials/,
    },
    {
      what: "a network of another tenant",
      template: { networks: [{ name: "n", multus: { networkName: `${places.sibling}/net` } }] },
      says: /networks of other namespaces/,
    },
    annotation("a network of another tenant by annotation", "k8s.v1.cni.cncf.io/networks", `${places.sibling}/net`),
    annotation("a subnet of another tenant", "ovn.kubernetes.io/logical_switch", "theirs"),
    annotation("a subnet of another tenant, of a second network", "net.tenant-a.ovn.kubernetes.io/logical_switch", "x"),
    annotation("a container beside the machine", "hooks.kubevirt.io/hookSidecars", '[{"image":"example.org/x"}]'),
    annotation("what a mesh reads", "sidecar.example.org/inject", "true"),
    {
      what: "precedence over the cluster's own pods",
      template: { priorityClassName: "system-node-critical" },
      says: /priorityClassName/,
    },
    disk("a disk of another tenant", { source: { pvc: { name: "p", namespace: places.sibling } } }),
    disk("a snapshot of another tenant", { source: { snapshot: { name: "p", namespace: places.sibling } } }),
    disk("a source of another tenant", { sourceRef: { kind: "DataSource", name: "s", namespace: places.parent } }),
    disk("a Secret sent to a server of one's own", {
      source: { http: { url: "https://example.org", secretRef: "cozystack-values" } },
    }),
    disk("a Secret as headers", {
      source: { http: { url: "https://example.org", secretExtraHeaders: ["cozystack-values"] } },
    }),
  ];
  const machine = (name: string, { volumes = [], template = {}, annotations, disks }: Partial<Attack>) => ({
    apiVersion: "kubevirt.io/v1",
    kind: "VirtualMachine",
    metadata: { name, namespace },
    spec: {
      runStrategy: "Halted",
      template: {
        ...(annotations === undefined ? {} : { metadata: { annotations } }),
        spec: { domain: { devices: {} }, volumes, ...template },
      },
      ...(disks === undefined ? {} : { dataVolumeTemplates: disks }),
    },
  });
  for (const [index, attack] of attacks.entries()) {
    test(`${attack.what}: refused, and stays changeable where the platform wrote it`, async () => {
      const person = strongest["super-admin"];
      const name = `machine-${index}`;
      await refusedBy(attack.says, () => person.create(Machine, machine(name, attack), dryRun));
      await person.create(Machine, machine(`${name}-empty`, {}));
      await refusedBy(attack.says, () => person.apply(Machine, machine(`${name}-empty`, attack), dryRun));
      await admin.create(Machine, machine(name, attack));
      const halted = { spec: { runStrategy: "Always" } };
      const changed = await person.mergePatch(Machine, name, namespace, halted, dryRun);
      assert.equal(valueAt(changed, "spec", "runStrategy"), "Always");
    });
  }

  test("a machine cannot be marked as the platform's, nor against deletion", async () => {
    const person = strongest["super-admin"];
    const marks = [
      { labels: { "platform.cozystack.io/no-delete": "true" } },
      { labels: { "internal.cozystack.io/tenantresource": "true" } },
      { annotations: { "internal.cozystack.io/owner": "forged" } },
    ];
    await person.create(Machine, machine("marked", {}));
    for (const mark of marks) {
      const marked = machine("marked-new", {});
      await refusedBy(/belong to the platform/, () =>
        person.create(Machine, { ...marked, metadata: { ...marked.metadata, ...mark } }, dryRun),
      );
      await refusedBy(/belong to the platform/, () =>
        person.mergePatch(Machine, "marked", namespace, { metadata: mark }, dryRun),
      );
    }
    await admin.mergePatch(Machine, "marked", namespace, { metadata: marks[1] ?? {} });
    await person.mergePatch(Machine, "marked", namespace, { spec: { runStrategy: "Always" } }, dryRun);
  });

  test("what a machine of one's own needs is accepted", async () => {
    const harmless = machine("harmless", {
      volumes: [
        { name: "a", cloudInitNoCloud: { userData: "#cloud-config" } },
        { name: "b", dataVolume: { name: "vm-disk-x" } },
      ],
      annotations: { owner: "me", "vm.kubevirt.io/os": "linux" },
      template: {
        networks: [
          { name: "default", pod: {} },
          { name: "n", multus: { networkName: "net" } },
        ],
      },
      disks: [
        {
          metadata: { name: "d" },
          spec: { storage: {}, source: { pvc: { name: "image", namespace: "cozy-public" } } },
        },
        { metadata: { name: "e" }, spec: { storage: {}, source: { http: { url: "https://example.org/disk" } } } },
      ],
    });
    await strongest["super-admin"].create(Machine, harmless, dryRun);
  });
});
