/** Objects that applications render: of the orders of the recipes, and of every parity case where those are at hand. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { apps } from "../../src/apps/index.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { apiVersionOf } from "../../src/kube/object.ts";
import type { App, AppInstance } from "../../src/sdk/app.ts";
import type { AppContext, TenantPlace } from "../../src/sdk/context.ts";
import { Refusal } from "../../src/sdk/errors.ts";
import { loadCases } from "../parity/case.ts";
import { renderCase } from "../parity/render-case.ts";
import { orders } from "../recipes/orders.ts";
import { answersFrom, namespaceValues } from "../support/render.ts";

export interface RenderedObject {
  readonly from: string;
  readonly namespace: string;
  readonly object: KubeObject;
}

const cases = resolve(import.meta.dirname, "../../../shared/parity");

/** Where what is not of a parity case is rendered. */
export const place: TenantPlace = { namespace: "tenant-foo", ancestors: ["tenant-root"] };
const context: AppContext = {
  cluster: {},
  namespace: namespaceValues,
  tenant: place,
  chartVersion: "0.0.0",
  apis: new Set(["cozystack.io/v1alpha1"]),
};

/** An instance there. Throws for a spec that does not fit the schema. */
export function instanceOf(app: App, spec: unknown): AppInstance {
  return app.instance({ name: app.module ? app.kind.toLowerCase() : "x", namespace: place.namespace, spec }, context);
}

/** What a spec gives, where everything that it needs exists. Refused ones give nothing. */
export function objectsOf(app: App, spec: unknown, existing: readonly KubeObject[] = []): readonly KubeObject[] {
  const { namespace } = place;
  try {
    const instance = instanceOf(app, spec);
    const given = answersFrom(existing, namespace, instance);
    const needed = instance.needs.flatMap((need): readonly KubeObject[] => {
      if (need.type !== "object" || !need.required) return [];
      if (given.object(need.kind, need.name, need.namespace) !== undefined) return [];
      const metadata = { name: need.name, namespace: need.namespace ?? namespace };
      return [{ apiVersion: apiVersionOf(need.kind), kind: need.kind.kind, metadata }];
    });
    return instance.render(answersFrom([...existing, ...needed], namespace, instance)).map(({ object }) => object);
  } catch (error) {
    if (error instanceof Refusal) return [];
    throw error;
  }
}

/** Whether the parity cases are at hand. */
export const withCases = existsSync(cases);

export function corpus(): readonly RenderedObject[] {
  const ordered = orders.flatMap(({ app, spec, changed }) =>
    [spec, { ...spec, ...changed }].flatMap((one) =>
      objectsOf(app, one).map((object) => ({ from: `${app.kind} order`, namespace: "tenant-foo", object })),
    ),
  );
  const byKind = new Map(apps.map((app) => [app.kind, app]));
  const compared = (loadCases(cases) ?? []).flatMap((one) => {
    const app = byKind.get(one.kind);
    const outcome = app === undefined ? undefined : renderCase(one, app, () => true);
    if (outcome?.is !== "rendered") return [];
    const { namespace } = one.release;
    return outcome.manifests.map(({ object }) => ({ from: `${one.app}/${one.case}`, namespace, object }));
  });
  return [...ordered, ...compared];
}
