/** A tenant's gateway, namespaces and routes, as tests of this folder need them. */
import { Namespace } from "../../contracts/core.ts";
import { TenantGateway } from "../../contracts/gateway-cozystack-io.ts";
import { HTTPRoute } from "../../contracts/gateway-networking-k8s-io.ts";
import type { Route, TenantGatewayObject } from "./names.ts";

type Spec = NonNullable<TenantGatewayObject["spec"]>;

/** Of all domains that end in org, so that rows can be short. */
export const gateway = (
  spec: Partial<Spec> = {},
  namespace = "tenant-foo",
  metadata: object = {},
): TenantGatewayObject =>
  TenantGateway("cozystack", {
    namespace,
    metadata: { uid: `uid-of-${namespace}`, generation: 1, ...metadata },
    spec: { apex: "org", ...spec },
  });

export const namespace = (
  name: string,
  labels: Record<string, string> = {},
  annotations: Record<string, string> = {},
) => Namespace(name, { labels, annotations });

export const route = (
  where: string,
  name: string,
  hostnames: readonly string[],
  parentRefs: NonNullable<NonNullable<Route["spec"]>["parentRefs"]> = [{ name: "cozystack", namespace: "tenant-foo" }],
  status: object = {},
): Route =>
  HTTPRoute(name, { namespace: where, spec: { hostnames: [...hostnames], parentRefs, rules: [] }, ...status });

export const inheriting = { "namespace.cozystack.io/gateway": "tenant-foo" };
