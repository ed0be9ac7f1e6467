/** What a user says about an OpenSearch. */
import { type Static, Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { ownSecretName } from "../../sdk/passwords.ts";
import {
  appSpec,
  flag,
  group,
  immutable,
  listOf,
  mapOf,
  oneOf,
  open,
  replicas,
  sizing,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";
import { rules } from "./rules.ts";
import { versions } from "./versions.ts";

const user = open({
  password: text({ maxLength: 1024, description: "Password; generated where it is absent or empty." }),
  roles: listOf(Type.String({ maxLength: 256 }), {
    optional: true,
    maxItems: 500,
    description: "Names of OpenSearch's roles. None: readall.",
  }),
});

export const OpenSearchSpec = appSpec(
  {
    replicas: replicas({ default: 3, description: "Number of nodes." }),
    ...sizing({ preset: "c1.medium" }),
    size: volumeSize({ default: "10Gi", description: "Volume of each node; it can grow." }),
    storageClass: immutable(
      storageClassName({ description: "StorageClass of the volumes. Empty: local; with one node, replicated." }),
    ),
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    topologySpreadPolicy: oneOf(["soft", "hard"], {
      default: "soft",
      description: "Whether nodes are spread over machines and zones where that is possible, or not run otherwise.",
    }),
    version: oneOf(versions, { default: "v2", description: "Version of the nodes; it can only go up, by one." }),
    images: group(
      { opensearch: text({ default: "", description: "Image of the nodes. Empty: that of the version." }) },
      { description: "Images other than those of the version." },
    ),
    nodeRoles: group(
      {
        master: flag({ default: true, description: "Manages the cluster." }),
        data: flag({ default: true, description: "Keeps data." }),
        ingest: flag({ default: true, description: "Prepares documents before they are kept." }),
        ml: flag({ default: false, description: "Runs machine learning." }),
      },
      { description: "What every node does; at least one of these." },
    ),
    users: mapOf(user, {
      maxProperties: 500,
      keyPattern: ownSecretName,
      description:
        "Users by name, each with a Secret of name, password and roles. The operator makes no users of them by itself.",
    }),
    dashboards: group(
      {
        enabled: flag({ default: false, description: "Whether Dashboards run." }),
        replicas: replicas({ default: 1, description: "Number of Dashboards; 0 means 1." }),
        ...sizing({ preset: "c1.small" }),
      },
      { description: "OpenSearch Dashboards, the user interface." },
    ),
  },
  rules,
  { storesData: true },
);

export type Spec = Static<typeof OpenSearchSpec.schema>;
export type Input = AppInput<Spec>;
