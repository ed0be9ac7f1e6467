/** R4: a name is refused at once, saying why, or it works to the end. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { isApiError } from "../../src/kube/errors.ts";
import type { App } from "../../src/sdk/app.ts";
import { namespaceLimit, tenantNamespace } from "../../src/sdk/names.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { orders } from "./orders.ts";

const cloud = await startCloud();
const lengths = [1, 40, 46, 47, 52, 53, 54, 63];

/** A name of that length; with a dash at every second place where dashes are allowed, so that any cut of it is tried. */
function nameOf(app: App, length: number): string {
  if (app.kind === "Tenant") return "t".repeat(length);
  return `${"a-".repeat(Math.ceil(length / 2)).slice(0, length - 1)}z`;
}

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    assert.ok(isApiError(error), String(error));
    assert.ok(["Invalid", "Forbidden", "BadRequest"].includes(error.code), error.code);
    return error.message;
  }
  assert.fail("it was accepted");
}

describe("R4: a name of any length works to the end or is refused with its field and limit", () => {
  for (const { app, spec } of orders) {
    test(`${app.kind} (at most ${app.longestName})`, async () => {
      const namespace = await cloud.tenant(`n${app.kind.toLowerCase()}`);
      const tried = [...new Set([...lengths, app.longestName, app.longestName + 1])];
      const domain = `.ntenant.${cloud.root.slice(8)}.test`.length;
      const room = Math.min(namespaceLimit - namespace.length - 1, 63 - domain);
      const limit = app.kind === "Tenant" ? Math.min(app.longestName, room) : app.longestName;
      for (const length of tried.filter((each) => each > limit)) {
        const message = await refusal(cloud.order(app, nameOf(app, length), namespace, spec));
        assert.match(message, /metadata\.name/, "names the field");
        assert.match(message, /at most \d+ are possible/, "names the limit");
        assert.match(message, /choose a shorter name/, "names the remedy");
      }
      const accepted = [...new Set([...tried.filter((each) => each <= limit), limit])];
      await Promise.all(accepted.map((length) => cloud.order(app, nameOf(app, length), namespace, spec)));
      for (const length of accepted) await cloud.ready(app, nameOf(app, length), namespace, 90);
    });
  }
});

const malformed: readonly { readonly why: string; readonly name: string }[] = [
  { why: "a leading digit", name: "1shop" },
  { why: "a leading dash", name: "-shop" },
  { why: "a trailing dash", name: "shop-" },
  { why: "a dot", name: "shop.one" },
  { why: "an upper case letter", name: "Shop" },
  { why: "an underscore", name: "shop_one" },
  { why: "a letter beyond ASCII", name: "shöp" },
  { why: "a space", name: "shop one" },
];

describe("R4: a malformed name is refused with its field, for every kind that is served", () => {
  for (const { why, name } of malformed) {
    test(why, async () => {
      for (const app of apps.filter(({ group }) => group === "apps.cozystack.io")) {
        const message = await refusal(cloud.order(app, name, cloud.root));
        assert.match(message, /metadata\.name/, app.kind);
      }
    });
  }
});

test("R4: a tenant whose domain would not fit is refused at once; the longest that fits works", async () => {
  const app = appOf("Tenant");
  const host = `${"h".repeat(44)}.test`;
  const namespace = await cloud.tenant("long", cloud.root, { host });
  const longest = 63 - host.length - 1;
  const message = await refusal(cloud.order(app, "t".repeat(longest + 1), namespace));
  assert.match(message, /metadata\.name.*would have 64 characters, at most 63 are possible.*shorter name/);
  await cloud.order(app, "t".repeat(longest), namespace);
  await cloud.ready(app, "t".repeat(longest), namespace);
});

test("R4: a tenant's name has no dash, since the namespaces of two tenants would be the same", async () => {
  const message = await refusal(cloud.order(appOf("Tenant"), "a-b", cloud.root));
  assert.match(message, /metadata\.name.*without dashes/);
});

test("R4: tenants nest until a namespace has 63 characters, and what is ordered there works; 64 are refused", async () => {
  const app = appOf("Tenant");
  const middle = await cloud.tenant("m".repeat(45 - cloud.root.length), cloud.root);
  const name = "z".repeat(namespaceLimit - middle.length - 1);
  const deepest = tenantNamespace(middle, name);
  assert.equal(deepest.length, namespaceLimit);
  const message = await refusal(cloud.order(app, `${name}z`, middle));
  assert.match(message, /metadata\.name.*would have 64 characters, at most 63/);
  await cloud.order(app, name, middle);
  await cloud.ready(app, name, middle);
  const deep = orders.filter(({ app: one }) => one.kind !== "Tenant");
  for (const { app: one, spec } of deep) await cloud.order(one, nameOf(one, one.longestName), deepest, spec);
  for (const { app: one } of deep) await cloud.ready(one, nameOf(one, one.longestName), deepest, 90);
  assert.match(await refusal(cloud.order(app, "a", deepest)), /metadata\.name.*at most 63/);
});
