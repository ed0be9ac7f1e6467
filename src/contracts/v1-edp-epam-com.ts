/**
 * The Keycloak operator of EPAM: groups and clients of a realm.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { int64, oneOf, some, text, textMap, texts } from "./fields.ts";

const realmRef = Type.Object({ name: text(), kind: Type.Optional(oneOf("KeycloakRealm", "ClusterKeycloakRealm")) });

/** Another realm has other members, and other clients. */
const impact = { otherwise: "inPlace", at: { "spec.realmRef": "replaces" } } as const;

export const KeycloakRealmGroup = defineContract({
  group: "v1.edp.epam.com",
  version: "v1",
  kind: "KeycloakRealmGroup",
  plural: "keycloakrealmgroups",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: text(),
      realmRef,
      path: Type.Optional(text()),
      realmRoles: Type.Optional(texts()),
    }),
    status: Type.Optional(some({ id: text(), value: text(), failureCount: int64() })),
  }),
  impact,
});

export const KeycloakClientScope = defineContract({
  group: "v1.edp.epam.com",
  version: "v1",
  kind: "KeycloakClientScope",
  plural: "keycloakclientscopes",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      name: text(),
      realmRef,
      protocol: text(),
      description: Type.Optional(text()),
      default: Type.Optional(Type.Boolean()),
      attributes: Type.Optional(textMap()),
      protocolMappers: Type.Optional(
        Type.Array(some({ name: text(), protocol: text(), protocolMapper: text(), config: textMap() })),
      ),
    }),
    status: Type.Optional(some({ id: text(), value: text(), failureCount: int64() })),
  }),
  impact,
});

export const KeycloakClient = defineContract({
  group: "v1.edp.epam.com",
  version: "v1",
  kind: "KeycloakClient",
  plural: "keycloakclients",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      clientId: text(),
      name: Type.Optional(text()),
      realmRef,
      public: Type.Optional(Type.Boolean()),
      directAccess: Type.Optional(Type.Boolean()),
      advancedProtocolMappers: Type.Optional(Type.Boolean()),
      secret: Type.Optional(text()),
      webUrl: Type.Optional(text()),
      redirectUris: Type.Optional(texts()),
      defaultClientScopes: Type.Optional(texts()),
      attributes: Type.Optional(textMap()),
    }),
    status: Type.Optional(some({ clientId: text(), value: text(), failureCount: int64() })),
  }),
  impact,
});

export const keycloakContracts = [KeycloakRealmGroup, KeycloakClientScope, KeycloakClient] as const;
