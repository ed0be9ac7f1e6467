/**
 * The etcd operator: clusters, and their members, of which each is one pod with a volume.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import {
  conditions,
  int32,
  int64,
  intOrString,
  oneOf,
  resourceRequirements,
  some,
  text,
  textMap,
  topologySpreadConstraints,
} from "./fields.ts";

const group = "etcd-operator.cozystack.io";
const version = "v1alpha2";

const metadata = some({ labels: textMap(), annotations: textMap() });
const secretRef = some({ name: text() });
const storage = some({ size: intOrString(), storageClassName: text(), medium: oneOf("", "Memory") });
const options = some({
  quotaBackendBytes: int64(),
  autoCompactionMode: oneOf("periodic", "revision"),
  autoCompactionRetention: text(),
  snapshotCount: int64(),
});

export const EtcdCluster = defineContract({
  group,
  version,
  kind: "EtcdCluster",
  plural: "etcdclusters",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$" }),
      replicas: Type.Optional(int32()),
      storage: Type.Optional(storage),
      options: Type.Optional(options),
      resources: Type.Optional(resourceRequirements()),
      additionalMetadata: Type.Optional(metadata),
      topologySpreadConstraints: Type.Optional(topologySpreadConstraints()),
      tls: Type.Optional(
        some({
          client: some({ serverSecretRef: secretRef, operatorClientSecretRef: secretRef }),
          peer: some({ secretRef }),
        }),
      ),
    }),
    status: Type.Optional(
      some({
        clusterID: text(),
        clusterToken: text(),
        readyMembers: int32(),
        selector: text(),
        conditions: conditions(),
      }),
    ),
  }),
  impact: {
    // Pods that exist are left alone: only new members are made by another version, size or place.
    otherwise: "none",
    deletion: "losesData",
    at: {
      "spec.replicas": "inPlace",
      "spec.storage": "inPlace",
      // Members' volumes cannot move, and what they trust each other by cannot change: another cluster, an empty one.
      "spec.storage.storageClassName": "losesData",
      "spec.storage.medium": "losesData",
      "spec.tls": "losesData",
    },
    // Of none, the last member keeps its volume, to go on from.
    fewer: { "spec.replicas": (after) => (after === 0 ? undefined : "go") },
  },
});

export const EtcdMember = defineContract({
  group,
  version,
  kind: "EtcdMember",
  plural: "etcdmembers",
  namespaced: true,
  schema: Type.Object({
    spec: Type.Object({
      clusterName: text(),
      clusterToken: text(),
      initialCluster: text(),
      storage,
      version: Type.String({ pattern: "^\\d+\\.\\d+\\.\\d+$" }),
      bootstrap: Type.Optional(Type.Boolean()),
      resources: Type.Optional(resourceRequirements()),
      additionalMetadata: Type.Optional(metadata),
    }),
    status: Type.Optional(
      some({ podName: text(), pvcName: text(), isVoter: Type.Boolean(), version: text(), conditions: conditions() }),
    ),
  }),
  // One pod of a cluster: the others have what it has.
  impact: { otherwise: "rolls" },
});

export const etcdContracts = [EtcdCluster, EtcdMember] as const;
