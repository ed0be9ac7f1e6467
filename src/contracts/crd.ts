/**
 * From a contract to the CustomResourceDefinition that serves its kind: for our own kinds everywhere, for others' kinds
 * only where their operators are played by the twin.
 */
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import { type StructuralSchema, structuralSchema } from "../kube/structural-schema.ts";
import type { AnyContractKind } from "./contract.ts";

/** Marks a definition that came from a contract rather than from its operator. */
export const servedFromContract = "platform.cozystack.io/served-from-contract";

/** The schema of whole objects: the contract's fields beside what every object has. */
export function objectSchemaOf(kind: AnyContractKind): StructuralSchema {
  const schema = structuralSchema(kind.contract.schema);
  return {
    ...schema,
    properties: {
      apiVersion: { type: "string" },
      kind: { type: "string" },
      metadata: { type: "object" },
      ...schema.properties,
    },
  };
}

/** Group rules: names below `k8s.io` are reserved, and served only with a word that says they are approved or not. */
function protectedGroup(group: string): Readonly<Record<string, string>> {
  const reserved = group.endsWith(".k8s.io");
  return reserved ? { "api-approved.kubernetes.io": "unapproved, a subset of the upstream definition" } : {};
}

/** The definition of a contract's kind. Our own are guarded against deletion: with them would go every object. */
export function contractCrd(kind: AnyContractKind, own: boolean): CustomResourceDefinition {
  const { group, version, plural, namespaced, contract } = kind;
  return CustomResourceDefinition(`${plural}.${group}`, {
    labels: own ? { "platform.cozystack.io/no-delete": "true" } : { [servedFromContract]: "true" },
    ...(own ? {} : { annotations: protectedGroup(group) }),
    spec: {
      group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural,
        singular: contract.singular,
        ...(contract.shortNames.length === 0 ? {} : { shortNames: contract.shortNames }),
      },
      scope: namespaced ? "Namespaced" : "Cluster",
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: objectSchemaOf(kind) },
          ...(contract.statusSubresource ? { subresources: { status: {} } } : {}),
          ...(contract.columns.length === 0 ? {} : { additionalPrinterColumns: contract.columns }),
        },
      ],
    },
  });
}
