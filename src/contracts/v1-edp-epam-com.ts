/**
 * The Keycloak operator of EPAM: groups of a realm.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int64, oneOf, some, text, texts } from "./fields.ts";

export const KeycloakRealmGroup = defineContract({
  group: "v1.edp.epam.com",
  version: "v1",
  kind: "KeycloakRealmGroup",
  plural: "keycloakrealmgroups",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: text(),
      realmRef: Type.Object({ name: text(), kind: Type.Optional(oneOf("KeycloakRealm", "ClusterKeycloakRealm")) }),
      path: Type.Optional(text()),
      realmRoles: Type.Optional(texts()),
    }),
    status: Type.Optional(some({ id: text(), value: text(), failureCount: int64() })),
  }),
  impact: {
    otherwise: "inPlace",
    // Membership is by group: another realm has other members.
    at: { "spec.realmRef": "replaces" },
  },
});

export const keycloakContracts = [KeycloakRealmGroup] as const;
