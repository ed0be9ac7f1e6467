/** Definitions as platform engineers write them, for tests: of a chart that the twin plays. */
import { randomBytes } from "node:crypto";
import { ApplicationDefinition, type Definition } from "../../src/contracts/application-definition.ts";
import type { App } from "../../src/sdk/app.ts";
import { externalApp } from "../../src/sdk/external/external-app.ts";
import { valuesSchema } from "../../src/sdk/external/schema.ts";

export const guestbookSchema = {
  type: "object",
  properties: {
    replicas: { type: "integer", minimum: 0, maximum: 9, default: 1, description: "Web servers." },
    title: { type: "string", default: "Guestbook" },
    storage: {
      type: "object",
      properties: {
        size: { "x-kubernetes-int-or-string": true, anyOf: [{ type: "integer" }, { type: "string" }], default: "1Gi" },
      },
    },
    theme: { type: ["string", "null"], enum: ["light", "dark", null] },
  },
};

export interface Given {
  readonly kind?: string;
  readonly prefix?: string;
  readonly schema?: object | string;
  readonly spec?: Partial<Definition["spec"]>;
  readonly module?: boolean;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly chart?: string;
}

/** A name that no other file uses. */
export const unused = (): string => `G${randomBytes(3).toString("hex")}`;

export function definition(given: Given = {}): Definition {
  const { kind = "Guestbook", schema = guestbookSchema, module = false, annotations, chart = "guestbook" } = given;
  const singular = kind.toLowerCase();
  return ApplicationDefinition(singular, {
    ...(annotations === undefined ? {} : { annotations }),
    spec: {
      application: {
        kind,
        plural: `${singular}s`,
        singular,
        openAPISchema: typeof schema === "string" ? schema : JSON.stringify(schema),
      },
      release: {
        chartRef: { kind: "OCIRepository", name: chart, namespace: "cozy-public" },
        prefix: given.prefix ?? `${singular}-`,
        labels: { "sharding.fluxcd.io/key": "tenants" },
      },
      secrets: { include: [{ resourceNames: [`${singular}-{{ .name }}-credentials`] }] },
      services: { include: [{ matchLabels: { "app.kubernetes.io/name": "guestbook" } }] },
      dashboard: { category: "Test", singular: kind, plural: `${kind}s`, description: "A guestbook.", module },
      ...given.spec,
    },
  });
}

/** The application as every process derives it. */
export function appOfDefinition(made: Definition): App {
  return externalApp(made, valuesSchema(made.spec.application.openAPISchema));
}
