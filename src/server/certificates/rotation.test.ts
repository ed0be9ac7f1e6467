import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import { certificatesOf, dueStep, renewed, type ServingState } from "./rotation.ts";

const day = 24 * 3600 * 1000;
const names = ["api.ns.svc", "127.0.0.1"];
const start = Date.parse("2026-01-01T00:00:00Z");

const trusts = (bundle: string, certificate: string): boolean =>
  certificatesOf(bundle).some((pem) => {
    const authority = new X509Certificate(pem);
    const serving = new X509Certificate(certificate);
    return serving.checkIssued(authority) && serving.verify(authority.publicKey);
  });

test("the first certificates serve the names and are trusted by their bundle", async () => {
  const state = await renewed(undefined, names, start);
  const serving = new X509Certificate(state.serving.certificate);
  assert.ok(serving.checkHost("api.ns.svc") !== undefined && serving.checkIP("127.0.0.1") !== undefined);
  assert.ok(trusts(state.bundle, state.serving.certificate));
  assert.equal(dueStep(state, names, start), "nothing");
  assert.equal(await renewed(state, names, start), state);
});

test("another name, or little time left, makes a new serving certificate by the same authority", async () => {
  const state = await renewed(undefined, names, start);
  assert.equal(dueStep(state, [...names, "more.example.com"], start), "serving");
  assert.equal(dueStep(state, names, start + 59 * day), "nothing");
  assert.equal(dueStep(state, names, start + 61 * day), "serving");
  const next = await renewed(state, names, start + 61 * day);
  assert.equal(next.bundle, state.bundle);
  assert.notEqual(next.serving.certificate, state.serving.certificate);
});

test("over twelve years, looked at every other day, what is served is always trusted by the bundle before and after", async () => {
  let state: ServingState | undefined;
  let authorities = 0;
  for (let now = start; now < start + 12 * 365 * day; now += 2 * day) {
    const before: ServingState | undefined = state;
    state = await renewed(state, names, now);
    if (state === before) continue;
    assert.ok(trusts(state.bundle, state.serving.certificate), new Date(now).toISOString());
    // The API server may still have the bundle of before.
    if (before !== undefined) assert.ok(trusts(before.bundle, state.serving.certificate), new Date(now).toISOString());
    if (state.bundle !== before?.bundle && certificatesOf(state.bundle).length > 1) authorities += 1;
    assert.ok(new X509Certificate(state.serving.certificate).validToDate.getTime() > now + 27 * day);
    assert.ok(certificatesOf(state.bundle).length <= 2);
  }
  assert.ok(authorities >= 2, "the authority was renewed");
});

test("a state that cannot be read, or whose authority has ended, begins anew", async () => {
  const state = await renewed(undefined, names, start);
  assert.equal(dueStep({ ...state, bundle: "" }, names, start), "start");
  assert.equal(dueStep(state, names, start + 6 * 365 * day), "start");
});
