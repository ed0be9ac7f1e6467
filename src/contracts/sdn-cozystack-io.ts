/**
 * Security groups (api-sdn.md): a tenant's own openings between its applications. What the API server can judge alone is
 * judged here, in the schema; what needs other objects is in the status.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int32, int64, some, text, texts } from "./fields.ts";

const LABEL_VALUE = "^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";

/** Names that Cilium gives a meaning of their own; refused in any letter case. */
const ENTITIES = [
  "world",
  "cluster",
  "kube-apiserver",
  "host",
  "remote-node",
  "health",
  "init",
  "unmanaged",
  "all",
] as const;

const notAnEntity = (what: string) => [
  {
    rule: `!(self.lowerAscii() in [${ENTITIES.map((name) => `'${name}'`).join(", ")}])`,
    message: `${what} may not be one of ${ENTITIES.join(", ")}: Cilium gives these a meaning of their own`,
  },
];

const labelValue = (description: string) =>
  Type.String({ description, minLength: 1, maxLength: 63, pattern: LABEL_VALUE });

const applicationReference = () =>
  Type.Object({
    apiGroup: Type.Optional(
      Type.String({
        description: "API group of the application.",
        default: "apps.cozystack.io",
        minLength: 1,
        maxLength: 63,
        pattern: LABEL_VALUE,
      }),
    ),
    kind: labelValue("Kind of the application, such as Postgres."),
    name: Type.String({
      description: "Name of the application, in the group's own namespace.",
      minLength: 1,
      maxLength: 63,
      pattern: LABEL_VALUE,
      "x-kubernetes-validations": notAnEntity("the name of an application"),
    }),
  });

/** At most so many of anything in a list: CEL's cost grows with them. Far above what groups have. */
const MANY = 64;

const applications = (description: string) => Type.Array(applicationReference(), { description, maxItems: MANY });

const groups = (description: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: 63,
      pattern: LABEL_VALUE,
      "x-kubernetes-validations": notAnEntity("the name of a SecurityGroup"),
    }),
    { description, maxItems: MANY },
  );

const cidrs = (description: string) =>
  Type.Array(
    Type.String({
      maxLength: 49,
      "x-kubernetes-validations": [
        {
          rule: "isCIDR(self) || isIP(self)",
          message: "write an address or a prefix, such as 192.0.2.0/24 or 2001:db8::1",
        },
      ],
    }),
    { description, maxItems: MANY },
  );

/** A number from 1 to 65535, a port's name, or nothing for all. */
const PORT =
  "^(6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[1-9][0-9]{0,3}|([a-z0-9]-?)*[a-z](-?[a-z0-9])*)?$";

const toPorts = () =>
  Type.Array(
    some({
      ports: Type.Array(
        some({
          port: Type.String({
            description: "Number from 1 to 65535, or the name of a port of the pods; empty: all.",
            maxLength: 15,
            pattern: PORT,
          }),
          protocol: Type.String({
            description: "TCP, UDP, SCTP or ANY, in any letter case; empty: ANY.",
            pattern: "^([Tt][Cc][Pp]|[Uu][Dd][Pp]|[Ss][Cc][Tt][Pp]|[Aa][Nn][Yy])?$",
          }),
        }),
        { maxItems: 40 },
      ),
    }),
    { description: "Ports of whom the traffic goes to; none: all.", maxItems: MANY },
  );

const fqdns = () =>
  Type.Array(
    Type.Object(
      {
        matchName: Type.Optional(
          Type.String({ description: "Exact name.", maxLength: 255, pattern: "^([-a-zA-Z0-9_]+[.]?)*$" }),
        ),
        matchPattern: Type.Optional(
          Type.String({ description: "Name with wildcards.", maxLength: 255, pattern: "^([-a-zA-Z0-9_*]+[.]?)*$" }),
        ),
      },
      {
        "x-kubernetes-validations": [
          {
            rule: "(has(self.matchName) && self.matchName != '') || (has(self.matchPattern) && self.matchPattern != '')",
            message: "give matchName or matchPattern",
          },
        ],
      },
    ),
    { description: "DNS names outside the cluster.", maxItems: MANY },
  );

const spec = some({
  attachments: applications("Applications whose pods are members. None: the group has no members."),
  ingress: Type.Array(
    some({
      fromApp: applications("Pods of these applications."),
      fromSG: groups("Members of these SecurityGroups of the same namespace."),
      fromCIDR: cidrs("Addresses outside the cluster."),
      toPorts: toPorts(),
    }),
    {
      description: "Who may reach the members. Rules only add to what is allowed: none restricts anything.",
      maxItems: MANY,
    },
  ),
  egress: Type.Array(
    some({
      toApp: applications("Pods of these applications."),
      toSG: groups("Members of these SecurityGroups of the same namespace."),
      toCIDR: cidrs("Addresses outside the cluster."),
      toFQDNs: fqdns(),
      toPorts: toPorts(),
    }),
    {
      description: "Whom the members may reach. Rules only add to what is allowed: none restricts anything.",
      maxItems: MANY,
    },
  ),
});

const status = some({
  observedGeneration: int64(),
  /** Pods that carry the membership label. */
  members: int32(),
  /** Their names, the first hundred by name. */
  pods: texts(),
  /** Uids of what controls them: pods that these make later are members from the start where the API server can see to it. */
  podOwners: texts(),
  /** One for each rule, in order. */
  rules: Type.Array(
    Type.Object({
      /** Such as `spec.ingress[0]`. */
      rule: text(),
      effective: Type.Boolean(),
      reason: text(),
      message: Type.Optional(text()),
    }),
  ),
  /** References that lead nowhere. */
  dangling: Type.Array(Type.Object({ field: text(), message: text() })),
  conditions: conditions(true),
});

const condition = (type: string) => `.status.conditions[?(@.type=="${type}")].status`;

export const SecurityGroup = defineContract({
  group: "sdn.cozystack.io",
  version: "v1alpha1",
  kind: "SecurityGroup",
  plural: "securitygroups",
  namespaced: true,
  columns: [
    { name: "Members", type: "integer", jsonPath: ".status.members" },
    { name: "Ready", type: "string", jsonPath: condition("Ready") },
    { name: "Effective", type: "string", jsonPath: condition("RulesEffective") },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema: Type.Object(
    { spec: Type.Optional(spec), status: Type.Optional(status) },
    {
      "x-kubernetes-validations": [
        {
          rule: "size(self.metadata.name) <= 63",
          message: "metadata.name: at most 63 characters are possible, as the name becomes part of a label",
        },
      ],
    },
  ),
  impact: { otherwise: "inPlace" },
});

export const sdnContracts = [SecurityGroup] as const;
