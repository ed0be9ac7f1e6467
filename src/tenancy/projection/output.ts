/**
 * The Secret `<release>.tenant-ca` that tenants see.
 */
import { Secret, type SecretObject } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import { apiVersionOf } from "../../kube/object.ts";
import { derivedNames } from "../../sdk/names.ts";
import { type Bundle, overlapAnnotations } from "./overlap.ts";

export type Projection = ReturnType<typeof TenantProjection>;

/** The dot cannot be in an application's name, so nothing else has this name. */
export function outputName(release: string): string {
  return derivedNames("", release).tenantCa;
}

const LINEAGE = "apps.cozystack.io/application.";

/**
 * Exactly what the Secret is to be; of the one there is, only foreign labels and annotations stay. `facts.projection` owns
 * it, so that it goes when the projection does. Whether tenants see it is the application's exposure, and labelled as with
 * every other Secret (lineage).
 */
export function outputOf(
  { projection }: { readonly projection: Projection },
  name: string,
  sourceName: string,
  { pem, annotations }: Bundle,
  live?: SecretObject,
): SecretObject {
  const { namespace = "", uid = "", labels = {} } = projection.metadata;
  const lineage = Object.entries(labels).filter(([key]) => key.startsWith(LINEAGE));
  const wanted = Secret(name, {
    metadata: {
      ...live?.metadata,
      namespace,
      labels: {
        ...live?.metadata.labels,
        ...Object.fromEntries(lineage),
        "internal.cozystack.io/managed-by-cozystack": "true",
        "internal.cozystack.io/tenant-ca": "true",
        "internal.cozystack.io/ca-cert-copy": "true",
      },
      annotations: {
        ...foreign(live?.metadata.annotations),
        ...annotations,
        "internal.cozystack.io/ca-cert-source": `${namespace}/${sourceName}`,
      },
      ownerReferences: [
        {
          apiVersion: apiVersionOf(TenantProjection),
          kind: TenantProjection.kind,
          name: projection.metadata.name,
          uid,
          controller: true,
          blockOwnerDeletion: false,
        },
      ],
    },
    type: "Opaque",
    data: { "ca.crt": Buffer.from(pem, "utf8").toString("base64") },
  });
  return wanted;
}

function foreign(annotations: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !overlapAnnotations.includes(key)));
}

/** Whether it is the very projection that published the Secret, not one of the same name before it. */
export function isPublishedBy(secret: SecretObject, { metadata }: Projection): boolean {
  return (secret.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid);
}

/**
 * Whether the projection published this Secret: by owner reference and name; the uid may be that of a projection of the
 * same name before this one. Labels prove nothing.
 */
export function isOurs(secret: SecretObject, projection: Projection): boolean {
  return (
    secret.type === "Opaque" &&
    (secret.metadata.ownerReferences ?? []).some(
      ({ kind, name }) => kind === TenantProjection.kind && name === projection.metadata.name,
    )
  );
}
