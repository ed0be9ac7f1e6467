import { describe, test } from "node:test";
import { places } from "../support/cluster.ts";
import { byRights, refusedBy, strongest } from "./people.ts";

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
