import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AppEffect } from "../effects/effect.ts";
import { html } from "./html.ts";
import { rehearsalPage } from "./page.ts";
import type { Rehearsal } from "./rehearse.ts";

const app = { group: "apps.cozystack.io", kind: "Postgres", namespace: "tenant-a", name: "db" } as const;
const nothing: AppEffect = {
  app,
  tenant: "tenant-a",
  impact: "none",
  changes: [],
  pools: [],
  wasReady: true,
  seconds: 0,
};

const rehearsal = (effects: readonly AppEffect[], settled = true): Rehearsal => ({
  simulated: true,
  at: "2026-01-01T00:00:00Z",
  copied: { objects: 12, bytes: 3, kinds: {}, withoutOwner: 0 },
  checks: { to: "2.0.0", standing: "clean", checks: [] },
  migrations: { outcome: "done", migrations: [] },
  effects,
  settled,
  seconds: 4,
  requests: 9,
});

const page = (effects: readonly AppEffect[], settled = true): string =>
  rehearsalPage(rehearsal(effects, settled), { cluster: "https://a.test", version: "1" });

const evil = `"><script>alert('x')</script>&amp;`;

describe("the page of a rehearsal", () => {
  it("escapes whatever comes from the cluster", () => {
    const ref = { ...app, name: evil, namespace: evil };
    const effect: AppEffect = {
      ...nothing,
      app: ref,
      tenant: evil,
      impact: "rolls",
      changes: [{ object: ref, action: "update", impact: "rolls", fields: [evil], because: evil }],
      pools: [{ object: ref, what: "pods", count: 1 }],
      blocked: { reason: evil, message: evil, remedy: evil },
    };
    const text = rehearsalPage(rehearsal([effect]), { cluster: evil, version: evil });
    assert.ok(!text.includes("<script"));
    assert.ok(text.includes("&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;"));
  });

  it("loads nothing and runs nothing", () => {
    const text = page([{ ...nothing, impact: "rolls" }]);
    assert.doesNotMatch(text, /<(script|link|img|iframe)|@import|url\(|src=|href=/i);
    assert.match(text, /default-src 'none'/);
  });

  it("says that it is a simulation, and what did not come to rest", () => {
    assert.match(page([nothing]), /A simulation/);
    assert.doesNotMatch(page([nothing]), /Not everything came to rest/);
    assert.match(page([nothing], false), /Not everything came to rest/);
  });

  it("counts tenants in which nothing happens, and shows the others with their pools", () => {
    const pools = [{ object: { ...app, kind: "Cluster" }, what: "pods", count: 3 } as const];
    const text = page([nothing, { ...nothing, tenant: "tenant-b", impact: "rolls", pools, seconds: 90 }]);
    assert.match(text, /Nothing happens in 1 of 2 tenants/);
    assert.match(text, /3 pods of Cluster <code>db<\/code>/);
    assert.match(text, /90 s/);
  });
});

describe("html", () => {
  it("escapes texts and keeps what is HTML", () => {
    assert.equal(
      html`<b title="${'"'}">${["<", html`<i>${"&"}</i>`]}${undefined}</b>`.text,
      '<b title="&quot;">&lt;<i>&amp;</i></b>',
    );
  });
});
