/**
 * What is not in a tenant's own namespace has a name of its own: no tenant takes another's cluster-scoped objects, or its
 * people's groups, by the name that it chooses.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { render } from "../../src/apps/tenant/fixture.ts";
import { childPlace } from "../../src/apps/tenant/place.ts";
import { isRecord } from "../../src/kube/json.ts";
import { accessLevels } from "../../src/sdk/access.ts";
import type { TenantPlace } from "../../src/sdk/context.ts";
import { reservedTenantNames } from "../../src/sdk/names.ts";

const root: TenantPlace = { namespace: "tenant-root", ancestors: [] };

/** Words that derived names end in, and ordinary ones. */
const words = [
  ...["view", "use", "admin", "super", "root", "tenant", "cozy", "dashboard", "cleanup"],
  ...["egress", "ingress", "etcd", "monitoring", "seaweedfs", "gateway", "info", "computeplane", "virt", "handler"],
  ...["lock", "readonly", "system", "public", "a", "b"],
];
const allowed = words.filter((word) => !Object.hasOwn(reservedTenantNames, word));

const modules = { etcd: true, ingress: true, monitoring: true, seaweedfs: true, gateway: true };

/** What tenant `name` of `parent` has outside its namespace, by kind, place and name. */
function outside(name: string, parent: TenantPlace): readonly string[] {
  const own = childPlace(name, parent).namespace;
  return render({ name, parent, spec: modules })
    .map(({ object }) => object)
    .filter(({ metadata }) => metadata.namespace !== own)
    .map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ""}/${metadata.name}`);
}

const groupsOf = (namespace: string) => accessLevels.map((level) => `Group ${namespace}-${level}`);

interface Placed {
  readonly name: string;
  readonly parent: TenantPlace;
}

/** Every tenant down to `depth` whose name is one of `names`. */
function tree(names: readonly string[], depth: number, parent: TenantPlace = root): readonly Placed[] {
  if (depth === 0) return [];
  return names
    .filter((name) => !(parent.namespace === root.namespace && name === "root"))
    .flatMap((name) => [{ name, parent }, ...tree(names, depth - 1, childPlace(name, parent))]);
}

/** By SeaweedFS, which gives its classes cluster-wide names. */
const classesOf = (namespace: string) =>
  ["", "-lock"]
    .map((suffix) => `BucketClass ${namespace}${suffix}`)
    .concat(["", "-readonly"].map((suffix) => `BucketAccessClass ${namespace}${suffix}`));

function twice(tenants: readonly Placed[]): readonly string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const { name, parent } of tenants) {
    const { namespace } = childPlace(name, parent);
    for (const each of [...outside(name, parent), ...groupsOf(namespace), ...classesOf(namespace)]) {
      const other = seen.get(each);
      if (other !== undefined && other !== namespace) found.push(`${each}: of ${other} and of ${namespace}`);
      seen.set(each, namespace);
    }
  }
  return found;
}

describe("names that tenants share", () => {
  test("no two tenants have the same object outside their namespaces, or the same group", () => {
    assert.deepEqual(twice(tree(allowed, 2)), []);
  });

  test("nor do tenants at any depth, whatever they are called", () => {
    const name = fc
      .oneof(fc.constantFrom(...allowed), fc.stringMatching(/^[a-z][a-z0-9]{0,5}$/))
      .filter((word) => !Object.hasOwn(reservedTenantNames, word) && word !== "root");
    const path = fc.array(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(path, { minLength: 2, maxLength: 4 }), (paths) => {
        const tenants = new Map<string, Placed>();
        for (const each of paths) {
          let parent = root;
          for (const one of each) {
            const child = childPlace(one, parent);
            tenants.set(child.namespace, { name: one, parent });
            parent = child;
          }
        }
        assert.deepEqual(twice([...tenants.values()]), []);
      }),
      { numRuns: 100 },
    );
  });

  for (const [name, why] of Object.entries(reservedTenantNames)) {
    test(`${name} is no tenant's name below the first level: ${why}`, () => {
      assert.notDeepEqual(twice(tree([name, "a"], 2)), []);
      assert.deepEqual(twice([...tree(allowed, 2), ...tree([name], 1)]), [], "at the first level it may be");
    });
  }

  test("every object outside carries the namespace that it is about", () => {
    const place = childPlace("b", childPlace("a", root));
    for (const { object } of render({ name: "b", parent: childPlace("a", root), spec: modules })) {
      if (object.metadata.namespace === place.namespace || !isRecord(object)) continue;
      assert.ok(object.metadata.name.includes(place.namespace), `${object.kind} ${object.metadata.name}`);
    }
  });
});
