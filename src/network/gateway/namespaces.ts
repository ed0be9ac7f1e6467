/**
 * Which namespaces are labelled for a gateway. Several gateways may name the same one, since the platform names its own for
 * all of them: it then belongs to tenant-root's, else to the oldest, and never goes back and forth.
 */
import { Namespace } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import { attachedNamespaces } from "./claims.ts";
import { ATTACHED_BY, GATEWAY_LABEL, placeOf, type TenantGatewayObject } from "./names.ts";

/** Of the gateways that name a namespace, whose it is. */
function ranked(gateway: TenantGatewayObject): string {
  const own = placeOf(gateway);
  const { creationTimestamp = "", name } = gateway.metadata;
  return [own === "tenant-root" ? "0" : "1", creationTimestamp, own, name].join("\n");
}

/** Namespaces that are to be labelled for the gateway: its own, and those it names and nobody before it. */
export function labelledFor(
  gateway: TenantGatewayObject,
  gateways: readonly TenantGatewayObject[],
  namespaces: readonly KubeObject[],
): readonly string[] {
  const own = placeOf(gateway);
  const rivals = gateways.filter(
    (other) => other.metadata.deletionTimestamp === undefined && ranked(other) < ranked(gateway),
  );
  const taken = new Set(rivals.flatMap(attachedNamespaces));
  const owns = new Set(gateways.filter((other) => other !== gateway).map(placeOf));
  const named = attachedNamespaces(gateway).filter((name) => !taken.has(name) && !owns.has(name));
  const wanted = new Set([own, ...named]);
  return namespaces
    .filter(({ metadata }) => wanted.has(metadata.name) && metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name);
}

/** The label and its mark, for a namespace that lacks one of them; undefined where it has them. */
export function attachment(namespace: KubeObject, gateway: string): KubeObject | undefined {
  const { labels, annotations, name } = namespace.metadata;
  if (labels?.[GATEWAY_LABEL] === gateway && annotations?.[ATTACHED_BY] === gateway) return undefined;
  // A Tenant says which gateway it has, if any: that is not for us to change.
  const isTenants = labels?.[GATEWAY_LABEL] !== undefined && annotations?.[ATTACHED_BY] === undefined;
  if (isTenants && labels?.[GATEWAY_LABEL] !== gateway) return undefined;
  return Namespace(name, { labels: { [GATEWAY_LABEL]: gateway }, annotations: { [ATTACHED_BY]: gateway } });
}

/** Namespaces that carry the gateway's mark and are no longer to. */
export function detached(
  gateway: TenantGatewayObject,
  wanted: readonly string[],
  namespaces: readonly KubeObject[],
): readonly KubeObject[] {
  const own = placeOf(gateway);
  return namespaces.filter(
    ({ metadata }) => metadata.annotations?.[ATTACHED_BY] === own && !wanted.includes(metadata.name),
  );
}

/** A merge patch that takes the mark away, and the label where no Tenant keeps it. */
export function detachment({ metadata }: KubeObject, gateway: string): object {
  const { name, resourceVersion, labels } = metadata;
  const isMarked = name !== gateway && labels?.[GATEWAY_LABEL] === gateway;
  return {
    metadata: {
      resourceVersion,
      annotations: { [ATTACHED_BY]: null },
      ...(isMarked ? { labels: { [GATEWAY_LABEL]: null } } : {}),
    },
  };
}
