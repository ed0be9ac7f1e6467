/**
 * R3, the access matrix: here all cells that must be allowed and a fixed share of the others; `npm run matrix` tries every one.
 */
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { ClusterRole, RoleBinding, Secret } from "../../../src/kube/core-kinds.ts";
import { isApiError } from "../../../src/kube/errors.ts";
import { valueAt } from "../../../src/kube/json.ts";
import { concurrently } from "../../../src/reconcile/concurrently.ts";
import { eventually } from "../../support/eventually.ts";
import { places, securityCluster } from "../support/cluster.ts";
import { nameOf } from "./expect.ts";
import { type Cell, cellName, openMatrix, type Result, shareOf } from "./matrix.ts";
import { roles, rows } from "./table.ts";

const PARTS = 12;
const apiGroup = "rbac.authorization.k8s.io";

const cluster = await securityCluster();
await cluster.stopControllers();
const matrix = await openMatrix(cluster);
after(() => matrix.close());
const results: Result[] = [];

const failures = (of: readonly Result[]): readonly string[] =>
  of
    .filter(({ passed }) => !passed)
    .map(
      ({ cell, tried }) =>
        `${cellName(cell)}: expected ${cell.expected}, got ${tried.status} ${tried.text.slice(0, 200)}`,
    );

describe("R3: who may do what", () => {
  test("every cell is as the table says", async () => {
    const allowed = matrix.cells.filter(({ expected }) => expected);
    const refused = shareOf(
      matrix.cells.filter(({ expected }) => !expected),
      PARTS,
    );
    results.push(...(await matrix.run([...allowed, ...refused])));
    assert.deepEqual(failures(results), []);
    assert.ok(allowed.length > 2000 && refused.length > 4000, `${allowed.length} allowed, ${refused.length} refused`);
  });

  test("the table speaks of nothing that is not served", () => {
    const known = new Set(matrix.cells.map(({ kind }) => nameOf(kind)));
    const named = rows.flatMap(({ kinds }) => kinds).filter((kind) => !kind.includes("/*/"));
    assert.deepEqual(
      named.filter((kind) => !known.has(kind)),
      [],
    );
  });

  test("the API server's own word about rights is the same", async () => {
    const asked = shareOf(
      results.map(({ cell }) => cell),
      24,
    );
    const outcomes = new Map(results.map(({ cell, tried }) => [cell, tried.outcome]));
    assert.ok(asked.length > 200);
    const differing: string[] = [];
    await concurrently([...asked], 8, async (cell) => {
      // Shown by what it answers, not by rights.
      if (cell.kind.plural === "tenantnamespaces") return;
      if ((await mayByReview(cell)) !== (outcomes.get(cell) !== "refused")) differing.push(cellName(cell));
    });
    assert.deepEqual(differing, []);
  });

  test("nobody of a tenant may give rights away, take them or speak for others", async () => {
    const verbs = [
      ["escalate", apiGroup, "roles"],
      ["bind", apiGroup, "roles"],
      ["escalate", apiGroup, "clusterroles"],
      ["bind", apiGroup, "clusterroles"],
      ["impersonate", "", "users"],
      ["impersonate", "", "groups"],
      ["impersonate", "", "serviceaccounts"],
      ["approve", "certificates.k8s.io", "signers"],
      ["sign", "certificates.k8s.io", "signers"],
      ["*", "*", "*"],
    ] as const;
    const given: string[] = [];
    for (const role of roles) {
      for (const [verb, group, resource] of verbs) {
        for (const namespace of [places.own, ""]) {
          if (await reviewed(role, { verb, group, resource, namespace })) given.push(`${role} ${verb} ${resource}`);
        }
      }
    }
    assert.deepEqual(given, []);
  });

  test("a right that somebody gained is found", async () => {
    const secrets = matrix.cells.filter(
      ({ kind, role, area }) => nameOf(kind) === "secrets" && role === "view" && area === "own",
    );
    assert.ok(secrets.length >= 8);
    assert.deepEqual(failures(await matrix.run(secrets)), []);
    const name = "too-much";
    const rules = [{ apiGroups: [""], resources: ["secrets"], verbs: ["get"] }];
    await cluster.admin.create(ClusterRole, ClusterRole(name, { rules }));
    await cluster.admin.create(
      RoleBinding,
      RoleBinding(name, {
        namespace: places.own,
        roleRef: { apiGroup, kind: "ClusterRole", name },
        subjects: [{ apiGroup, kind: "Group", name: `${places.own}-view` }],
      }),
    );
    await eventually("the matrix finds it", async () => failures(await matrix.run(secrets)).length > 0);
    const found = (await matrix.run(secrets)).filter(({ passed }) => !passed).map(({ cell }) => cell.verb);
    await cluster.admin.delete(RoleBinding, name, places.own);
    assert.deepEqual(found, ["get"]);
  });
});

async function mayByReview({ role, verb, kind, area }: Cell): Promise<boolean> {
  const place = area === "everywhere" || area === "cluster" ? "" : places[area];
  return reviewed(role, {
    verb,
    group: kind.group,
    resource: kind.plural,
    namespace: kind.namespaced ? place : "",
    ...(kind.subresource === undefined ? {} : { subresource: kind.subresource }),
  });
}

async function reviewed(role: Cell["role"], attributes: object): Promise<boolean> {
  const answer = await cluster.as(role).raw("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    spec: { resourceAttributes: attributes },
  });
  return valueAt(answer, "status", "allowed") === true;
}

describe("R3: what may not be read looks like what is not there", () => {
  /** Status and body of a read, with the names that were asked for taken out. */
  async function answerTo(role: Cell["role"], path: string, ...names: readonly string[]): Promise<string> {
    try {
      return JSON.stringify(await cluster.as(role).raw("GET", path));
    } catch (error) {
      if (!isApiError(error)) throw error;
      return names.reduce((text, name) => text.replaceAll(name, "X"), `${error.status} ${error.message}`);
    }
  }
  const root = "/apis/core.cozystack.io/v1alpha1";

  test("a tenant's namespace, for everybody who may not see it", async () => {
    for (const role of roles) {
      const hidden =
        role === "none" ? [places.own, places.sibling, places.root] : [places.parent, places.sibling, places.root];
      for (const name of [...hidden, places.system, "default"]) {
        const [there, missing] = await Promise.all([
          answerTo(role, `${root}/tenantnamespaces/${name}`, name),
          answerTo(role, `${root}/tenantnamespaces/tenant-missing`, "tenant-missing"),
        ]);
        assert.equal(there, missing, `${role} and ${name}`);
        assert.match(there, /^404 /);
      }
    }
  });

  test("a Secret that is not shown, for those who see what is", async () => {
    for (const role of ["use", "admin", "super-admin", "account"] as const) {
      const inOwn = `${root}/namespaces/${places.own}/tenantsecrets`;
      for (const name of ["probe", "cozystack-values"]) {
        assert.ok(await cluster.admin.get(Secret, name, places.own), `${name} is there`);
        const [there, missing] = await Promise.all([
          answerTo(role, `${inOwn}/${name}`, name),
          answerTo(role, `${inOwn}/missing`, "missing"),
        ]);
        assert.equal(there, missing);
        assert.match(there, /^404 /);
        const listed = await cluster.as(role).raw("GET", `${inOwn}?fieldSelector=metadata.name%3D${name}`);
        assert.deepEqual(valueAt(listed, "items"), []);
      }
    }
  });

  test("anything of the aggregated API in a tenant that is not theirs, there or not, tenant or not", async () => {
    const resources = [
      ["tenantsecrets", "shown"],
      ["tenantmodules", "info"],
      ["options", "storageclass"],
      ["applicationplans", "probe"],
    ] as const;
    for (const role of roles) {
      for (const [plural, name] of resources) {
        const at = (namespace: string, object: string) =>
          answerTo(role, `${root}/namespaces/${namespace}/${plural}/${object}`, namespace, object);
        const [there, missing, nowhere] = await Promise.all([
          at(places.sibling, name),
          at(places.sibling, "missing"),
          at("tenant-missing", name),
        ]);
        assert.equal(there, missing, `${role} ${plural}`);
        assert.equal(there, nowhere, `${role} ${plural}`);
      }
    }
  });

  test("an application of another tenant", async () => {
    for (const role of roles) {
      const at = (namespace: string, name: string) =>
        answerTo(role, `/apis/apps.cozystack.io/v1alpha1/namespaces/${namespace}/redises/${name}`, namespace, name);
      const answers = await Promise.all([
        at(places.sibling, "probe"),
        at(places.sibling, "missing"),
        at("tenant-missing", "probe"),
      ]);
      assert.equal(new Set(answers).size, 1, answers.join("\n"));
      assert.match(answers[0], /^403 /);
    }
  });
});
