import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { bootBox } from "./index.ts";

const root = { namespace: "tenant-root", ancestors: [] };
const boot = (given: RenderGiven = {}) =>
  renderApp(bootBox, { name: "bootbox", place: root, ...given, values: { host: "example.org", ...given.values } });
const ingress = (given: RenderGiven = {}) => boot(given).object("Ingress", "bootbox");
const annotations = (given: RenderGiven = {}) => valueAt(ingress(given), "metadata", "annotations");

const node1 = {
  hostname: "node1",
  arch: "x86_64",
  ip: { address: "10.0.0.11", gateway: "10.0.0.1", netmask: "255.255.255.0" },
  leaseTime: 86400,
  mac: ["AA:BB:CC:00:00:01"],
  nameServers: ["1.1.1.1"],
  timeServers: ["pool.ntp.org"],
  uefi: true,
};
const interfaces = (given: object, spec: object = {}) => {
  const machine = { ...node1, ...given };
  return valueAt(
    boot({ spec: { machines: [machine], ...spec } }).object("Hardware", machine.hostname),
    "spec",
    "interfaces",
  );
};
const dhcp = (given: object) => {
  const all = interfaces(given);
  return valueAt(Array.isArray(all) ? all[0] : undefined, "dhcp");
};

test("the default is matchbox, closed to everybody", () => {
  assert.deepEqual(
    boot().objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "ConfigMap/bootbox-profiles",
      "ConfigMap/bootbox-groups",
      "ConfigMap/bootbox-configs",
      "Deployment/bootbox-matchbox",
      "Service/bootbox",
      "Ingress/bootbox",
      "WorkloadMonitor/bootbox-matchbox",
      "Role/bootbox-dashboard-resources",
      "RoleBinding/bootbox-dashboard-resources",
    ],
  );
  assert.equal(valueAt(annotations(), "nginx.ingress.kubernetes.io/whitelist-source-range"), "0.0.0.0/32");
});

test("machines boot Talos, whoever they are", () => {
  const file = (name: string) => String(valueAt(boot().object("ConfigMap", name), "data", "default.json"));
  const profile = JSON.parse(file("bootbox-profiles"));
  assert.deepEqual(profile.boot.initrd, ["/assets/initramfs.xz"]);
  assert.match(file("bootbox-profiles"), /\n {4}"initrd": \["\/assets\/initramfs\.xz"\],\n/);
  assert.ok(profile.boot.args.includes("talos.platform=metal"));
  assert.deepEqual(JSON.parse(file("bootbox-groups")), { id: "default", name: "default", profile: profile.id });
  assert.equal(valueAt(boot().object("ConfigMap", "bootbox-configs"), "data"), undefined);
});

const lists = [
  { why: "closed", spec: {}, sources: "0.0.0.0/32" },
  { why: "open to some", spec: { whitelist: ["10.0.0.0/8", "192.168.0.1"] }, sources: "10.0.0.0/8,192.168.0.1" },
  { why: "open to all", spec: { whitelistHTTP: false, whitelist: ["10.0.0.0/8"] }, sources: undefined },
] as const;

for (const { why, spec, sources } of lists) {
  test(`the page is ${why}`, () => {
    assert.equal(valueAt(annotations({ spec }), "nginx.ingress.kubernetes.io/whitelist-source-range"), sources);
  });
}

const certificates = [
  {
    why: "issued over HTTP",
    cluster: {},
    secretName: "bootbox-tls",
    issuer: "letsencrypt-prod",
    solver: "tenant-root",
  },
  {
    why: "issued over DNS",
    cluster: { solver: "dns01", "issuer-name": "x" },
    secretName: "bootbox-tls",
    issuer: "x",
    solver: undefined,
  },
  {
    why: "the installation's",
    cluster: { "wildcard-secret-name": "w" },
    secretName: undefined,
    issuer: undefined,
    solver: undefined,
  },
] as const;

for (const { why, cluster, secretName, issuer, solver } of certificates) {
  test(`the certificate is ${why}`, () => {
    const given = { cluster };
    assert.deepEqual(valueAt(ingress(given), "spec", "tls"), [
      { hosts: ["bootbox.example.org"], ...(secretName === undefined ? {} : { secretName }) },
    ]);
    assert.equal(valueAt(annotations(given), "cert-manager.io/cluster-issuer"), issuer);
    assert.equal(valueAt(annotations(given), "acme.cert-manager.io/http01-ingress-ingressclassname"), solver);
  });
}

test("with the installation's certificate and no list there are no annotations at all", () => {
  const given = { cluster: { "wildcard-secret-name": "w" }, spec: { whitelistHTTP: false } };
  assert.equal(annotations(given), undefined);
});

for (const [host, expected] of [
  [undefined, "bootbox.example.org"],
  ["", "bootbox.example.org"],
  ["other.org", "bootbox.other.org"],
] as const) {
  test(`published as ${expected} with host ${JSON.stringify(host)}`, () => {
    const spec = { ...(host === undefined ? {} : { host }), machines: [node1] };
    const rules = valueAt(ingress({ spec }), "spec", "rules");
    assert.deepEqual(Array.isArray(rules) ? rules.map((rule) => valueAt(rule, "host")) : rules, [expected]);
    const [first] = [interfaces({}, host === undefined ? {} : { host })].flat();
    assert.equal(valueAt(first, "netboot", "ipxe", "url"), `https://${expected}/boot.ipxe`);
  });
}

test("a machine is known by each of its hardware addresses, in lower case, where the DHCP server looks", () => {
  const rendered = boot({ spec: { machines: [{ ...node1, mac: ["AA:BB:CC:00:00:01", "aa:bb:cc:00:00:02"] }] } });
  const hardware = rendered.object("Hardware", "node1");
  assert.equal(valueAt(hardware, "metadata", "namespace"), "cozy-bootbox");
  const all = valueAt(hardware, "spec", "interfaces");
  assert.ok(Array.isArray(all));
  assert.deepEqual(
    all.map((one) => valueAt(one, "dhcp", "mac")),
    ["aa:bb:cc:00:00:01", "aa:bb:cc:00:00:02"],
  );
  assert.deepEqual(valueAt(all[1], "dhcp"), {
    hostname: "node1",
    arch: "x86_64",
    ip: node1.ip,
    lease_time: 86400,
    uefi: true,
    name_servers: ["1.1.1.1"],
    time_servers: ["pool.ntp.org"],
    mac: "aa:bb:cc:00:00:02",
  });
  assert.equal(valueAt(all[0], "netboot", "allowPXE"), true);
});

const left = [
  { why: "no UEFI", given: { uefi: false }, key: "uefi" },
  { why: "no lease", given: { leaseTime: 0 }, key: "lease_time" },
  { why: "no processor", given: { arch: "" }, key: "arch" },
  { why: "no DNS servers", given: { nameServers: [] }, key: "name_servers" },
  { why: "no NTP servers", given: { timeServers: [] }, key: "time_servers" },
] as const;

for (const { why, given, key } of left) {
  test(`a machine with ${why} is told nothing of it`, () => {
    const told = dhcp(given);
    assert.ok(isRecord(told) && !(key in told) && "mac" in told);
  });
}

test("the family of an address is handed on", () => {
  assert.equal(valueAt(dhcp({ ip: { ...node1.ip, family: 4 } }), "ip", "family"), 4);
});

for (const mac of [[], undefined]) {
  test(`a machine with hardware addresses ${JSON.stringify(mac)} has no interfaces`, () => {
    const { mac: _, ...rest } = node1;
    const machines = [mac === undefined ? rest : { ...rest, mac }];
    assert.deepEqual(valueAt(boot({ spec: { machines } }).object("Hardware", "node1"), "spec"), {});
  });
}

test("super-admins see it, and nothing of other applications", () => {
  const verbs = ["get", "list", "watch"];
  assert.deepEqual(valueAt(boot().object("Role", "bootbox-dashboard-resources"), "rules"), [
    { apiGroups: ["networking.k8s.io"], resources: ["ingresses"], resourceNames: ["bootbox"], verbs },
    { apiGroups: [""], resources: ["services"], resourceNames: ["bootbox"], verbs },
    { apiGroups: ["cozystack.io"], resources: ["workloadmonitors"], resourceNames: ["bootbox-matchbox"], verbs },
  ]);
  assert.deepEqual(valueAt(boot().object("RoleBinding", "bootbox-dashboard-resources"), "subjects"), [
    { kind: "ServiceAccount", name: "tenant-root", namespace: "tenant-root" },
    { apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: "tenant-root-super-admin" },
  ]);
});

test("the monitor counts the one pod", () => {
  assert.deepEqual(valueAt(boot().object("WorkloadMonitor", "bootbox-matchbox"), "spec"), {
    kind: "bootbox",
    type: "matchbox",
    version: "0.0.0",
    replicas: 1,
    minReplicas: 1,
    selector: { app: "bootbox-matchbox" },
  });
});

test("what its certificate's issuer may leave is found by its host", () => {
  const { leftovers } = boot({ spec: { host: "other.org" } }).instance;
  assert.ok(leftovers.some(({ where }) => where?.equals === "bootbox.other.org"));
});

const machine = (given: object) => ({ spec: { machines: [{ ...node1, ...given }] } });
const refused = [
  { why: "another name", given: { name: "other" }, field: "metadata.name", says: /bootbox/ },
  {
    why: "another namespace",
    given: { place: { namespace: "tenant-foo", ancestors: ["tenant-root"] } },
    field: "metadata.namespace",
    says: /tenant-root/,
  },
  {
    why: "a machine without an address",
    given: machine({ ip: { address: "10.0.0.1" } }),
    field: "spec.machines[0].ip",
    says: /gateway/,
  },
  {
    why: "a machine whose name no object can have",
    given: machine({ hostname: "Node_1" }),
    field: "spec.machines[0].hostname",
    says: /./,
  },
  {
    why: "a hardware address that is none",
    given: machine({ mac: ["aa:bb"] }),
    field: "spec.machines[0].mac[0]",
    says: /./,
  },
  {
    why: "an address that does not exist",
    given: machine({ ip: { ...node1.ip, netmask: "255.255.255.256" } }),
    field: "spec.machines[0].ip",
    says: /addresses/,
  },
  {
    why: "a time server with a port",
    given: machine({ timeServers: ["1.2.3.4:123"] }),
    field: "spec.machines[0].timeServers[0]",
    says: /./,
  },
  {
    why: "machines of one name",
    given: { spec: { machines: [node1, node1] } },
    field: "spec",
    says: /node1 would be rendered twice/,
  },
  {
    why: "a whitelist with something else than addresses",
    given: { spec: { whitelist: ["1.2.3.4,0.0.0.0/0"] } },
    field: "spec.whitelist[0]",
    says: /./,
  },
  { why: "a host that is none", given: { spec: { host: "a/b" } }, field: "spec.host", says: /./ },
] as const;

for (const { why, given, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => boot(given),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}
