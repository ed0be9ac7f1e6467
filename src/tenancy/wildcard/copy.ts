/**
 * A copy of the wildcard certificate: exactly what it is, and how it is known to be ours.
 */
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { type ObjectRef, refOf } from "../../kube/object.ts";
import { canonical } from "../../reconcile/digest.ts";
import { writtenBy } from "../../reconcile/owned-fields.ts";
import { ownerToken } from "../../reconcile/owner.ts";
import { TENANT_RESOURCE } from "../../sdk/visibility.ts";

/** Upstream's label of copies. It proves nothing: it finds candidates. */
export const COPY_LABEL = "cozystack.io/wildcard-secret-copy";
/** Upstream's annotation: `<namespace>/<name>` of the source. */
const SOURCE_ANNOTATION = "cozystack.io/wildcard-secret-source";
/** Fits this very object alone, and nobody but the platform writes annotations of this prefix. */
const PROOF_ANNOTATION = "internal.cozystack.io/wildcard-copy";

const proofOf = (ref: ObjectRef): string => ownerToken("wildcard-copy", ref);

/** The copy for a namespace; `live` gives its identity and version. It never shows to tenants. */
export function copyOf(source: SecretObject, namespace: string, live?: SecretObject): SecretObject {
  const { name } = source.metadata;
  const { uid, resourceVersion } = live?.metadata ?? {};
  const proof = proofOf({ group: "", kind: "Secret", namespace, name });
  return Secret(name, {
    metadata: {
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      labels: { [COPY_LABEL]: "true", [TENANT_RESOURCE]: "false" },
      annotations: { [SOURCE_ANNOTATION]: `${source.metadata.namespace}/${name}`, [PROOF_ANNOTATION]: proof },
    },
    ...(source.type === undefined ? {} : { type: source.type }),
    ...(source.data === undefined ? {} : { data: source.data }),
  });
}

/** Whether a Secret, read live with its managedFields, was made by us, and here. */
export function isOurs(live: SecretObject, manager: string): boolean {
  return live.metadata.annotations?.[PROOF_ANNOTATION] === proofOf(refOf(live)) && writtenBy(live, manager);
}

/**
 * Whether a copy that carries no proof, as upstream's do not, may be taken over: it says nothing that the source does not say,
 * so that whoever made it has what it holds already.
 */
export function mayTakeOver(live: SecretObject, source: SecretObject): boolean {
  return (
    live.metadata.labels?.[COPY_LABEL] === "true" &&
    live.metadata.labels[TENANT_RESOURCE] !== "true" &&
    live.type === source.type &&
    canonical(live.data ?? {}) === canonical(source.data ?? {})
  );
}

/** Whether a live copy is what it is to be. */
export function isCurrent(live: SecretObject, wanted: SecretObject): boolean {
  const said = ({ type, data, metadata: { labels, annotations } }: SecretObject) =>
    canonical({ type, data, labels, annotations });
  return said(live) === said(wanted);
}
