/** What a user says about a Qdrant. */
import type { Static } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, growOnly, immutable, replicas, sizing, storageClassName, volumeSize } from "../../sdk/spec.ts";
import { tlsField } from "../../sdk/tls.ts";

export const QdrantSpec = appSpec(
  {
    replicas: replicas({ default: 1, description: "Number of servers." }),
    ...sizing({ preset: "t1.small" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each server; it can grow." }),
    storageClass: immutable(storageClassName()),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    tls: tlsField("Encrypt the connections of clients and servers. Absent: as `external`."),
  },
  [growOnly("size")],
  { storesData: true },
);

export type Spec = Static<typeof QdrantSpec.schema>;
export type Input = AppInput<Spec>;
