/**
 * Kamaji: where control planes of tenants' Kubernetes clusters keep their objects.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { oneOf, some, text, texts } from "./fields.ts";

const group = "kamaji.clastix.io";
const version = "v1alpha1";

const content = some({
  secretReference: Type.Object({
    keyPath: text(),
    name: Type.Optional(text()),
    namespace: Type.Optional(text()),
  }),
});

/** Of the whole cluster: control planes name it, whatever their namespace. */
export const DataStore = defineContract({
  group,
  version,
  kind: "DataStore",
  plural: "datastores",
  namespaced: false,
  schema: Type.Object({
    spec: Type.Object({
      driver: oneOf("etcd", "MySQL", "PostgreSQL", "NATS"),
      endpoints: texts(),
      tlsConfig: Type.Optional(
        Type.Object({
          certificateAuthority: Type.Object({ certificate: content, privateKey: Type.Optional(content) }),
          clientCertificate: Type.Optional(Type.Object({ certificate: content, privateKey: content })),
        }),
      ),
    }),
    status: Type.Optional(Type.Object({ ready: Type.Boolean(), usedBy: Type.Optional(texts()) })),
  }),
  // Kamaji lets it go only when no control plane uses it; until then the servers behind it stay.
  impact: { otherwise: "inPlace", deleted: "first", at: { "spec.driver": "replaces" } },
});

export const kamajiContracts = [DataStore] as const;
