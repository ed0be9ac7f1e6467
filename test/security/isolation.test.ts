/**
 * What a tenant's people try, one test each: refused by their rights as they are, and by admission policies should an
 * administrator ever give them more.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { Client } from "../../src/kube/client.ts";
import {
  ClusterRole,
  ClusterRoleBinding,
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
  Role,
  RoleBinding,
} from "../../src/kube/core-kinds.ts";
import { defineKind } from "../../src/kube/define-kind.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { reservedTenantNames } from "../../src/sdk/names.ts";
import { kindOf } from "../schema/install.ts";
import { appOf } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { unexplained } from "./powers.ts";
import { places, securityCluster } from "./support/cluster.ts";

const cluster = await securityCluster();
await cluster.stopControllers();
const { admin } = cluster;
const namespace = places.own;
const dryRun = { dryRun: true } as const;

/** The most powerful of a tenant. */
const strongest = { "super-admin": cluster.as("super-admin"), account: cluster.as("account") } as const;

/** Somebody to whom an administrator gave everything in the tenant's namespace. */
const given = "given-everything";
const apiGroup = "rbac.authorization.k8s.io";
await admin.create(Role, Role(given, { namespace, rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }));
await admin.create(
  RoleBinding,
  RoleBinding(given, {
    namespace,
    roleRef: { apiGroup, kind: "Role", name: given },
    subjects: [given, "system:serviceaccounts:cozy-operator"].map((name) => ({
      apiGroup,
      kind: "Group" as const,
      name,
    })),
  }),
);
/** An operator, which makes pods as its own wisdom says. */
const operator = admin.as({
  user: "system:serviceaccount:cozy-operator:operator",
  groups: ["system:serviceaccounts", "system:serviceaccounts:cozy-operator", "system:authenticated"],
});
const everything = admin.as({ user: "given@example.org", groups: [given, "system:authenticated"] });

const loose = (group: string, version: string, kind: string, plural: string) =>
  defineKind<KubeObject & { readonly spec?: unknown }>({ group, version, kind, plural, namespaced: true });
const Pod = loose("", "v1", "Pod", "pods");
const Service = loose("", "v1", "Service", "services");
const Deployment = loose("apps", "v1", "Deployment", "deployments");
const CronJob = loose("batch", "v1", "CronJob", "cronjobs");
const Tenant = kindOf(appOf("Tenant"));

type Loose = Readonly<Record<string, unknown>>;

const container = (more: Loose = {}, security: Loose = {}): Loose => ({
  name: "c",
  image: "example.org/c",
  securityContext: { runAsNonRoot: true, ...security },
  ...more,
});
const podSpec = (more: Loose = {}, inside: Loose = container()): Loose => ({ containers: [inside], ...more });

/** A pod, and what makes pods of the same form. */
function forms(spec: Loose): readonly ((client: Client) => Promise<unknown>)[] {
  const labels = { app: "tried" };
  const template = { metadata: { labels }, spec };
  const job = { template: { ...template, spec: { ...spec, restartPolicy: "Never" } } };
  return [
    (client) => client.create(Pod, Pod("tried", { namespace, spec }), dryRun),
    (client) =>
      client.create(
        Deployment,
        Deployment("tried", { namespace, spec: { selector: { matchLabels: labels }, template } }),
        dryRun,
      ),
    (client) =>
      client.create(
        CronJob,
        CronJob("tried", { namespace, spec: { schedule: "0 3 * * *", jobTemplate: { spec: job } } }),
        dryRun,
      ),
  ];
}

async function refusedBy(what: RegExp, act: () => Promise<unknown>): Promise<void> {
  await assert.rejects(act, (error) => {
    assert.ok(isApiError(error, "Forbidden", "Invalid"), String(error));
    assert.match(error.message, what);
    return true;
  });
}
const byRights = /cannot \w+ resource/;

describe("what touches the machine below", () => {
  const rows: readonly { readonly what: string; readonly spec: Loose; readonly says: RegExp }[] = [
    { what: "privileged", spec: podSpec({}, container({}, { privileged: true })), says: /privileged containers/ },
    { what: "host PID", spec: podSpec({ hostPID: true }), says: /hostPID/ },
    { what: "host IPC", spec: podSpec({ hostIPC: true }), says: /hostIPC/ },
    { what: "host network", spec: podSpec({ hostNetwork: true }), says: /hostNetwork/ },
    {
      what: "hostPath",
      spec: podSpec({ volumes: [{ name: "v", hostPath: { path: "/" } }] }),
      says: /volumes of hostPath/,
    },
    {
      what: "hostPort",
      spec: podSpec({}, container({ ports: [{ containerPort: 80, hostPort: 80 }] })),
      says: /hostPort/,
    },
    {
      what: "added capabilities",
      spec: podSpec({}, container({}, { capabilities: { add: ["NET_BIND_SERVICE", "SYS_ADMIN"] } })),
      says: /added capabilities/,
    },
    {
      what: "no word about the user",
      spec: podSpec({}, container({}, { runAsNonRoot: false })),
      says: /without runAsNonRoot/,
    },
    {
      what: "root in one container of a pod that says non-root",
      spec: podSpec({ securityContext: { runAsNonRoot: true } }, container({}, { runAsUser: 0 })),
      says: /without runAsNonRoot/,
    },
    {
      what: "privileged in an init container",
      spec: podSpec({ initContainers: [container({ name: "i" }, { privileged: true })] }),
      says: /privileged containers/,
    },
  ];
  for (const { what, spec, says } of rows) {
    test(`${what}: nobody of a tenant makes such a pod`, async () => {
      for (const client of Object.values(strongest)) {
        for (const form of forms(spec)) await refusedBy(byRights, () => form(client));
      }
      for (const form of forms(spec)) await refusedBy(says, () => form(everything));
      // Operators and administrators do.
      for (const form of forms(spec)) {
        await form(admin);
        await form(operator);
      }
    });
  }

  test("a harmless pod is made by whoever was given the right, and by nobody else", async () => {
    for (const form of forms(
      podSpec({}, container({}, { capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } })),
    )) {
      await form(everything);
      for (const client of Object.values(strongest)) await refusedBy(byRights, () => form(client));
    }
  });

  test("NodePort and foreign addresses: nobody of a tenant takes them", async () => {
    const service = (spec: Loose) => (client: Client) =>
      client.create(Service, Service("tried", { namespace, spec: { ports: [{ port: 80 }], ...spec } }), dryRun);
    const taken = [
      [service({ type: "NodePort" }), /NodePort opens a port of every machine/],
      [service({ externalIPs: ["192.0.2.1"] }), /traffic to these addresses/],
    ] as const;
    for (const [act, says] of taken) {
      for (const client of Object.values(strongest)) await refusedBy(byRights, () => act(client));
      await refusedBy(says, () => act(everything));
      await act(admin);
    }
    await service({ type: "LoadBalancer" })(everything);
  });

  test("a pod's inside: no exec, attach, logs, forwarding, debug containers or eviction, in any tenant", async () => {
    for (const client of Object.values(strongest)) {
      for (const place of [places.own, places.child, places.sibling, places.parent]) {
        const pod = `/api/v1/namespaces/${place}/pods/probe`;
        const calls = [
          ["POST", `${pod}/exec?command=id`],
          ["GET", `${pod}/exec?command=id`],
          ["POST", `${pod}/attach`],
          ["GET", `${pod}/log`],
          ["POST", `${pod}/portforward?ports=80`],
          ["GET", `${pod}/proxy/`],
          ["PATCH", `${pod}/ephemeralcontainers`],
          ["POST", `${pod}/eviction`],
        ] as const;
        for (const [method, path] of calls) await refusedBy(byRights, () => client.raw(method, path, {}));
      }
    }
  });
});

describe("other tenants", () => {
  const paths = [
    ["read", "GET", "pods/probe"],
    ["list", "GET", "pods"],
    ["watch", "GET", "pods?watch=1"],
    ["delete", "DELETE", "pods/probe?dryRun=All"],
  ] as const;
  for (const [what, method, path] of paths) {
    test(`${what}: nothing of a sibling, a parent or root`, async () => {
      for (const client of Object.values(strongest)) {
        for (const place of [places.sibling, places.parent, places.root]) {
          await refusedBy(byRights, () => client.raw(method, `/api/v1/namespaces/${place}/${path}`));
        }
      }
    });
  }

  test("what is cluster-scoped, or in all namespaces at once", async () => {
    const paths = [
      "/api/v1/nodes",
      "/api/v1/namespaces",
      `/api/v1/namespaces/${places.own}`,
      "/api/v1/persistentvolumes",
      "/api/v1/pods",
      "/api/v1/secrets",
      "/apis/apps.cozystack.io/v1alpha1/tenants",
      "/apis/core.cozystack.io/v1alpha1/tenantsecrets",
      "/apis/rbac.authorization.k8s.io/v1/clusterroles",
      "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
      "/apis/storage.k8s.io/v1/storageclasses",
      "/apis/cilium.io/v2/ciliumclusterwidenetworkpolicies",
      "/apis/cozystack.io/v1alpha1/packages",
      "/apis/internal.cozystack.io/v1alpha1/inventories",
    ];
    for (const client of Object.values(strongest)) {
      for (const path of paths) await refusedBy(byRights, () => client.raw("GET", path));
    }
  });
});

describe("a tenant's own limits", () => {
  const patch = { metadata: { annotations: { tried: "1" } } };
  const loosen = [
    ["ResourceQuota", "", "v1", "resourcequotas", { spec: { hard: {} } }],
    ["LimitRange", "", "v1", "limitranges", { spec: { limits: [] } }],
    ["Role", apiGroup, "v1", "roles", { rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] }],
    [
      "RoleBinding",
      apiGroup,
      "v1",
      "rolebindings",
      {
        roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
        subjects: [{ apiGroup, kind: "User", name: "super-admin@example.org" }],
      },
    ],
    ["NetworkPolicy", "networking.k8s.io", "v1", "networkpolicies", { spec: { podSelector: {}, egress: [{}] } }],
    [
      "CiliumNetworkPolicy",
      "cilium.io",
      "v2",
      "ciliumnetworkpolicies",
      { spec: { endpointSelector: {}, egress: [{ toEntities: ["all"] }] } },
    ],
    ["ServiceAccount", "", "v1", "serviceaccounts", {}],
  ] as const;
  for (const [kind, group, version, plural, body] of loosen) {
    test(`${kind}: nobody of a tenant makes, changes or removes one`, async () => {
      const of = defineKind<KubeObject>({ group, version, kind, plural, namespaced: true });
      for (const client of Object.values(strongest)) {
        const object: KubeObject = {
          apiVersion: group === "" ? version : `${group}/${version}`,
          kind,
          metadata: { name: "tried", namespace },
          ...body,
        };
        await refusedBy(byRights, () => client.create(of, object, dryRun));
        await refusedBy(byRights, () => client.apply(of, object, dryRun));
        await refusedBy(byRights, () => client.mergePatch(of, "tenant-quota", namespace, patch, dryRun));
        await refusedBy(byRights, () => client.delete(of, "tenant-quota", namespace, dryRun));
      }
    });
  }

  test("budget, domain and modules: the tenant's own object is its parent's", async () => {
    for (const client of Object.values(strongest)) {
      for (const spec of [{ resourceQuotas: null }, { host: "example.org" }, { ingress: true }]) {
        await refusedBy(byRights, () => client.mergePatch(Tenant, "own", places.parent, { spec }, dryRun));
      }
      await refusedBy(byRights, () => client.mergePatch(Namespace, places.own, undefined, patch, dryRun));
    }
  });

  test("escalate, bind and impersonate: nobody becomes somebody else", async () => {
    const [{ account }] = [strongest];
    await refusedBy(byRights, () =>
      account.raw("POST", `/api/v1/namespaces/${places.child}/serviceaccounts/${places.child}/token`, {
        apiVersion: "authentication.k8s.io/v1",
        kind: "TokenRequest",
        spec: {},
      }),
    );
    for (const identity of [
      { user: "system:admin", groups: ["system:masters"] },
      { user: "view@example.org", groups: [`${places.sibling}-super-admin`] },
      { user: "system:serviceaccount:cozy-system:cozystack-controller" },
    ]) {
      await refusedBy(byRights, () => account.as(identity).get(ConfigMap, "x", places.own));
    }
    // Even with every right in the namespace nobody gives away what they have not cluster-wide.
    const binding = RoleBinding("tried", {
      namespace: places.own,
      roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ apiGroup, kind: "Group", name: given }],
    });
    await refusedBy(/cannot|attempting to grant/, () =>
      everything.create(
        RoleBinding,
        { ...binding, metadata: { ...binding.metadata, namespace: places.sibling } },
        dryRun,
      ),
    );
  });

  test("no role or binding in the cluster has a power that nobody explained", async () => {
    const lists = await Promise.all(
      [ClusterRole, Role, ClusterRoleBinding, RoleBinding].map((kind) => admin.list(kind)),
    );
    const ours = lists
      .flatMap(({ items }): readonly KubeObject[] => items)
      .filter(({ metadata }) => metadata.labels?.["kubernetes.io/bootstrapping"] === undefined)
      // What it was filled with is judged where it comes from.
      .filter((object) => valueAt(object, "aggregationRule") === undefined)
      .filter(({ metadata }) => metadata.name !== given);
    assert.ok(ours.filter(({ kind }) => kind === "RoleBinding").length > 20);
    assert.deepEqual(unexplained(ours), []);
  });

  for (const [name, why] of Object.entries(reservedTenantNames)) {
    test(`a tenant ${name}: ${why}`, async () => {
      const tenant = (where: string) => Tenant(name, { namespace: where, spec: {} });
      await refusedBy(/is reserved/, () => strongest["super-admin"].create(Tenant, tenant(places.own), dryRun));
      await refusedBy(/is reserved/, () => admin.create(Tenant, tenant(places.own), dryRun));
      await admin.create(Tenant, tenant(places.root), dryRun);
      await strongest["super-admin"].create(Tenant, Tenant(`${name}x`, { namespace: places.own, spec: {} }), dryRun);
    });
  }
});

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

describe("hosts of Ingresses, whoever writes them", () => {
  const Ingress = loose("networking.k8s.io", "v1", "Ingress", "ingresses");
  const backend = { service: { name: "a", port: { number: 80 } } };
  const ingress = (where: string, host: string, tls: readonly string[] = []) => ({
    ...Ingress("tried", { namespace: where }),
    spec: {
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      ...(tls.length === 0 ? {} : { tls: [{ hosts: tls }] }),
    },
  });
  const domains = new Map<string, string>();
  before(async () => {
    const { items } = await admin.list(Namespace, { labelSelector: "namespace.cozystack.io/host" });
    for (const { metadata } of items) {
      domains.set(metadata.name, metadata.labels?.["namespace.cozystack.io/host"] ?? "");
    }
    const label = { "namespace.cozystack.io/host": "bought.example.com" };
    await admin.create(Namespace, Namespace("tenant-bought", { labels: label }));
    await eventually("the tenant's own domain counts", () => {
      return admin.create(Ingress, ingress(places.own, "bought.example.com"), dryRun).then(
        () => false,
        () => true,
      );
    });
  });
  const domain = (place: keyof typeof places): string => domains.get(places[place]) ?? "";

  test("the domains nest as tenants do", () => {
    assert.ok(domain("own").endsWith(`.${domain("parent")}`) && domain("sibling").endsWith(`.${domain("parent")}`));
    assert.ok(domain("child").endsWith(`.${domain("own")}`));
  });

  const rows: readonly { why: string; place: keyof typeof places; host: () => string; refused: boolean }[] = [
    { why: "its own domain", place: "own", host: () => domain("own"), refused: false },
    { why: "below its own domain", place: "own", host: () => `harbor.${domain("own")}`, refused: false },
    { why: "a wildcard of its own", place: "own", host: () => `*.${domain("own")}`, refused: false },
    { why: "a domain of nobody's", place: "own", host: () => "shop.example.net", refused: false },
    { why: "a tenant below it", place: "own", host: () => `grafana.${domain("child")}`, refused: false },
    { why: "a sibling's", place: "own", host: () => domain("sibling"), refused: true },
    {
      why: "below a sibling's, in capitals",
      place: "own",
      host: () => `Harbor.${domain("sibling")}`.toLowerCase(),
      refused: true,
    },
    { why: "the parent's", place: "own", host: () => `grafana.${domain("parent")}`, refused: true },
    { why: "the platform's", place: "own", host: () => `dashboard.${domain("root")}`, refused: true },
    { why: "a wildcard of the parent's", place: "own", host: () => `*.${domain("parent")}`, refused: true },
    { why: "a domain that another tenant brought", place: "own", host: () => "www.bought.example.com", refused: true },
    { why: "a wildcard around it", place: "own", host: () => "*.example.com", refused: true },
    {
      why: "of a tenant below, by the one above",
      place: "parent",
      host: () => `harbor.${domain("own")}`,
      refused: false,
    },
    { why: "of the parent, by the one below", place: "child", host: () => `harbor.${domain("own")}`, refused: true },
    { why: "the platform's, by root", place: "root", host: () => `dashboard.${domain("root")}`, refused: false },
  ];
  for (const { why, place, host, refused } of rows) {
    test(`${place}: ${why}${refused ? " is refused" : ""}`, async () => {
      const routed = () => admin.create(Ingress, ingress(places[place], host()), dryRun);
      const certified = () =>
        admin.create(Ingress, ingress(places[place], "shop.example.net", ["other.example.net", host()]), dryRun);
      for (const act of [routed, certified]) {
        if (refused) await refusedBy(/is within the domain of another tenant/, act);
        else await act();
      }
    });
  }

  test("what was there before stays changeable, and an administrator may let more in", async () => {
    const host = `old.${domain("sibling")}`;
    const mark = { metadata: { annotations: { "platform.cozystack.io/hosts": `a.example.org,${host}` } } };
    await admin.mergePatch(Namespace, places.own, undefined, mark);
    await eventually("it counts", () =>
      admin.create(Ingress, ingress(places.own, host)).then(
        () => true,
        () => false,
      ),
    );
    await admin.mergePatch(Namespace, places.own, undefined, {
      metadata: { annotations: { "platform.cozystack.io/hosts": null } },
    });
    await eventually("it counts no more", () =>
      admin.create(Ingress, { ...ingress(places.own, host), metadata: { name: "second", namespace } }, dryRun).then(
        () => false,
        () => true,
      ),
    );
    await admin.mergePatch(Ingress, "tried", namespace, { metadata: { annotations: { changed: "1" } } });
    await refusedBy(/another tenant/, () =>
      admin.mergePatch(Ingress, "tried", namespace, { spec: ingress(places.own, domain("sibling")).spec }, dryRun),
    );
    await admin.delete(Ingress, "tried", namespace);
  });
});

describe("virtual machines that super-admins write themselves", () => {
  interface Attack {
    readonly what: string;
    readonly volumes?: readonly Loose[];
    readonly template?: Loose;
    readonly disks?: readonly Loose[];
    readonly says: RegExp;
  }
  const volume = (what: string, source: Loose): Attack => ({
    what,
    volumes: [{ name: "v", ...source }],
    says: /may not read Secrets, ConfigMaps, accounts or files of the host/,
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
  const machine = (name: string, { volumes = [], template = {}, disks }: Partial<Attack>) => ({
    apiVersion: "kubevirt.io/v1",
    kind: "VirtualMachine",
    metadata: { name, namespace },
    spec: {
      runStrategy: "Halted",
      template: { spec: { domain: { devices: {} }, volumes, ...template } },
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

  test("what a machine of one's own needs is accepted", async () => {
    const harmless = machine("harmless", {
      volumes: [
        { name: "a", cloudInitNoCloud: { userData: "#cloud-config" } },
        { name: "b", dataVolume: { name: "vm-disk-x" } },
      ],
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
