/** Isolation as a property: random trees of tenants, modules, pods and security groups. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { SecurityGroup } from "../../../src/contracts/sdn-cozystack-io.ts";
import { policyOf } from "../../../src/network/policy.ts";
import { reaches } from "./policy.ts";
import { type Modules, podOf, roles, type Tenant, tenantOf } from "./tenants.ts";

const root = tenantOf("root", undefined, { ingress: true, etcd: true, monitoring: true, seaweedfs: true });

interface Shape {
  readonly name: string;
  readonly modules: Modules;
  readonly below: readonly Shape[];
}

const flag = fc.boolean();
const modules = fc.record({ ingress: flag, etcd: flag, monitoring: flag, seaweedfs: flag, gateway: flag });
const shapeOf = (depth: number): fc.Arbitrary<Shape> =>
  fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/),
    modules,
    below: depth === 0 ? fc.constant([]) : shapes(depth - 1, 0),
  });
const shapes = (depth: number, minLength: number): fc.Arbitrary<readonly Shape[]> =>
  fc.uniqueArray(shapeOf(depth), { minLength, maxLength: 3, selector: ({ name }) => name });

function planted(shapes: readonly Shape[], above: Tenant): readonly Tenant[] {
  return shapes
    .filter(({ name }) => above.place.namespace !== "tenant-root" || name !== "root")
    .flatMap(({ name, modules: on, below }) => {
      const tenant = tenantOf(name, above, on);
      return [tenant, ...planted(below, tenant)];
    });
}

const label = fc.constantFrom(...Object.values(roles));
const podLabels = fc.array(label, { maxLength: 3 }).map((several) => Object.assign({}, ...several));
const port = fc.record({
  port: fc.constantFrom(53, 80, 443, 2379, 6443, 8443, 9090),
  protocol: fc.constantFrom("TCP" as const, "UDP" as const),
});

/** Whatever a tenant's people may write into a security group. */
const group = fc.record({
  attachments: fc.constant([{ kind: "Redis", name: "x" }]),
  egress: fc.array(
    fc.record(
      {
        toApp: fc.constant([{ kind: "Redis", name: "x" }]),
        toSG: fc.constant(["other"]),
        toCIDR: fc.constant(["0.0.0.0/0"]),
        toPorts: fc.constant([{ ports: [{ port: "6443", protocol: "TCP" }] }]),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 2 },
  ),
  ingress: fc.array(fc.record({ fromCIDR: fc.constant(["0.0.0.0/0"]) }, { requiredKeys: [] }), { maxLength: 2 }),
});

const member = {
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Redis",
  "apps.cozystack.io/application.name": "x",
  "securitygroup.sdn.cozystack.io/mine": "",
};

const isAbove = (upper: Tenant, lower: Tenant): boolean => lower.place.ancestors.includes(upper.place.namespace);

/** Random trees, pods of any labels, and two tenants of the tree. */
const clouds = fc.record({
  shapes: shapes(2, 2),
  one: fc.nat(),
  other: fc.nat(),
  fromLabels: podLabels,
  toLabels: podLabels,
  port,
  group,
});

describe("isolation, whatever the tenants", () => {
  test("tenants that are not above or below each other do not reach each other, whatever their pods, modules and security groups", () => {
    let tried = 0;
    fc.assert(
      fc.property(clouds, ({ shapes: given, one, other, fromLabels, toLabels, port: on, group: spec }) => {
        const all = planted(given, root);
        const from = all[one % all.length];
        const to = all[other % all.length];
        if (from === undefined || to === undefined || from === to || isAbove(from, to) || isAbove(to, from)) return;
        tried += 1;
        const groups = all.map(({ place: { namespace } }) =>
          policyOf(SecurityGroup("mine", { namespace, spec: { ...spec, attachments: [...spec.attachments] } })),
        );
        const everything = [...root.policies, ...all.flatMap((tenant) => tenant.policies), ...groups];
        const sender = podOf(from, { ...fromLabels, ...member });
        assert.ok(!reaches(everything, sender, podOf(to, { ...toLabels, ...member }), on), JSON.stringify(on));
      }),
      { numRuns: 300 },
    );
    assert.ok(tried > 60, `${tried} pairs`);
  });

  test("a tenant reaches of those above nothing but their modules, and all of those below", () => {
    let tried = 0;
    fc.assert(
      fc.property(clouds, ({ shapes: given, one, other, fromLabels, toLabels, port: on }) => {
        const all = planted(given, root);
        const upper = all[one % all.length];
        const lower = all[other % all.length];
        if (upper === undefined || lower === undefined || !isAbove(upper, lower)) return;
        tried += 1;
        const everything = [...root.policies, ...all.flatMap((tenant) => tenant.policies)];
        const above = podOf(upper, toLabels);
        const isModule =
          above.labels["app.kubernetes.io/name"] === "vminsert" ||
          above.labels["app.kubernetes.io/instance"] === "etcd" ||
          above.labels["cozystack.io/service"] === "ingress";
        assert.equal(reaches(everything, podOf(lower, fromLabels), above, on), isModule);
        assert.ok(reaches(everything, above, podOf(lower, fromLabels), on));
      }),
      { numRuns: 600 },
    );
    assert.ok(tried > 40, `${tried} pairs`);
  });
});
