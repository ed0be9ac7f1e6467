/**
 * Path independence, over the whole catalogue: whatever was ordered in between, an application that is ordered as it was at
 * first has the same objects as at first, Secrets included; and what was refused changed nothing.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { canonical } from "../../src/reconcile/digest.ts";
import { hintsOf } from "../../src/sdk/hints.ts";
import { allApps } from "../schema/apps.ts";
import { kindOf } from "../schema/install.ts";
import { overrides } from "../schema/narrower.ts";
import { haveUpstream, upstreamSchema, valuesOf } from "../schema/upstream-schema.ts";
import { leaves, volumeOverrides } from "../schema/volumes.ts";
import { conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { difference } from "./difference.ts";
import { moduleOrders, type Order, orders } from "./orders.ts";

/** How many specs lie between the first and the last. */
const STEPS = Number(process.env["COZYSTACK_PATH_STEPS"] ?? 4);
const SEED = Number(process.env["COZYSTACK_PATH_SEED"] ?? 1);

const cloud = await startCloud();
const { admin } = cloud;
const folders = new Map((await allApps()).map(({ app, folder }) => [app.kind, folder]));

/** Fields that rules let go one way only, or whose volumes decide what comes after them, by kind. */
const oneWay: Readonly<Record<string, readonly string[]>> = {
  Harbor: ["trivy"],
  OpenSearch: ["version"],
  RabbitMQ: ["replicas"],
};

/** Numbers that would order hundreds of machines become small ones; given passwords stay after they are taken back. */
function tamed(value: unknown): unknown {
  if (typeof value === "number") return value > 0 && value < 4 ? value : 1 + (Math.abs(Math.trunc(value)) % 3);
  if (Array.isArray(value)) return value.map(tamed);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !/password/i.test(key));
  return Object.fromEntries(kept.map(([key, one]) => [key, tamed(one)]));
}

/** `over` laid onto `base`; what `base` has in maps stays, or its generated passwords would go with it. */
function laid(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  const merged = Object.entries(over).map(
    ([key, value]) => [key, key in base ? laid(base[key], value) : value] as const,
  );
  return { ...base, ...Object.fromEntries(merged) };
}

/** The spec with the value of `from` at this path. */
function withValue(spec: unknown, from: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return from;
  if (!isRecord(spec) || !isRecord(from) || !(name in from)) return spec;
  return { ...spec, [name]: withValue(spec[name], from[name], rest) };
}

/** Specs that lie on the way; volumes, which only grow, and what is immutable stay as they are. */
function between({ app }: Order, base: unknown): readonly unknown[] {
  const folder = folders.get(app.kind) ?? "";
  const schema = upstreamSchema(folder);
  if (schema === undefined) return [];
  const fixed = leaves(app.schema).filter(({ path, schema: leaf }) => {
    const hints = hintsOf(leaf);
    return !path.includes("*") && (hints.immutable || hints.volume !== undefined);
  });
  const fixedPaths = [...fixed.map(({ path }) => path), ...(oneWay[app.kind] ?? []).map((field) => [field])];
  const some = valuesOf(schema, "", { ...volumeOverrides(app.schema), ...overrides(folder) });
  return fc.sample(some, { numRuns: STEPS, seed: SEED }).map((random) => {
    const spec = laid(base, tamed(random));
    return fixedPaths.reduce((now, path) => withValue(now, base, path), spec);
  });
}

/** Scripts and Jobs that say how often something was changed. */
const counting = /^postgres-x-init/;

/** What the controller applied, without what the API server, operators and time say. */
function applied(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  const ours = objects.filter(
    ({ metadata }) =>
      metadata.annotations?.["internal.cozystack.io/owner"] !== undefined &&
      metadata.ownerReferences === undefined &&
      !counting.test(metadata.name),
  );
  return new Map(
    ours.map((object) => {
      const { annotations = {}, labels = {}, namespace = "", name } = object.metadata;
      const kept = Object.entries(annotations).filter(([key]) => !key.startsWith("deployment.kubernetes.io/"));
      const rest: object = {
        ...object,
        status: undefined,
        metadata: { labels, annotations: Object.fromEntries(kept) },
      };
      return [
        `${object.kind} ${namespace}/${name}`,
        canonical(rest).replace(/,?"(nodePort|clusterIPs?)":("[^"]*"|\[[^\]]*\]|\d+)/g, ""),
      ];
    }),
  );
}

describe("whatever was ordered in between, what is ordered as at first is as at first", {
  concurrency: 4,
  skip: haveUpstream ? false : "the former schemas are not at hand",
}, () => {
  for (const order of [...orders, ...moduleOrders].filter(({ app }) => app.kind !== "Tenant")) {
    const { app, name, spec } = order;
    test(app.kind, async () => {
      const kind = kindOf(app);
      const namespace = await cloud.tenant(`p${app.kind.toLowerCase()}`);
      await cloud.order(app, name, namespace, spec);
      const first = await cloud.ready(app, name, namespace, 60);
      const base = valueAt(first, "spec");
      const before = applied(await cloud.everything(namespace));
      assert.ok(before.size > 0);

      /** Waits until the controller has looked at the spec as it is; agrees to what it asks. */
      const seen = (what: string) =>
        eventually(what, async () => {
          const live = await cloud.get(app, name, namespace);
          const ready = conditionOf(live, "Ready");
          if (ready?.observedGeneration !== live?.metadata.generation) return false;
          const hash = ready?.reason === "ConfirmationRequired" ? /[0-9a-f]{16}/.exec(ready.message)?.[0] : undefined;
          if (hash === undefined) return true;
          await cloud.annotate(app, name, namespace, { "apps.cozystack.io/allow-data-loss": hash });
          return false;
        });
      let refused = 0;
      const set = async (value: unknown): Promise<void> => {
        const stored = await cloud.get(app, name, namespace);
        try {
          await admin.jsonPatch(kind, name, namespace, [{ op: "replace", path: "/spec", value }]);
          await seen("the spec is seen");
        } catch (error) {
          if (!isApiError(error, "Invalid")) throw error;
          refused += 1;
          const now = await cloud.get(app, name, namespace);
          assert.deepEqual(valueAt(now, "spec"), valueAt(stored, "spec"), "what is refused changes nothing");
          assert.equal(now?.metadata.generation, stored?.metadata.generation);
        }
      };
      const specs = between(order, base);
      for (const value of specs) await set(value);
      await set(base);
      let left: readonly string[] = [];
      await eventually("everything is as at first", async () => {
        left = difference(before, applied(await cloud.everything(namespace)));
        if (left.length > 0) await seen("the first spec is seen again");
        return left.length === 0;
      }).catch((error: unknown) =>
        assert.fail(`${String(error)}, ${refused} of ${specs.length} refused: ${left.join("\n")}`),
      );
      assert.deepEqual(valueAt(await cloud.get(app, name, namespace), "spec"), base, "the first spec is taken back");
      await cloud.remove(app, name, namespace, 60);
    });
  }
});
