import assert from "node:assert/strict";
import { test } from "node:test";
import { decide, type ProjectionFacts } from "./decide.ts";
import { certificate, projection, secret } from "./fixture.ts";
import { OVERLAP_MS } from "./overlap.ts";

const start = Date.parse("2026-11-30T00:00:00Z");
const [one, two, three] = [await certificate("one"), await certificate("two"), await certificate("three")];

const facts = (crt: string, now: number, output?: ProjectionFacts["output"]): ProjectionFacts => ({
  projection: projection(),
  release: "postgres-db",
  rivals: [],
  source: secret("postgres-db-ca", { "ca.crt": crt }),
  output,
  now,
});
const step = (crt: string, now: number, output?: ProjectionFacts["output"]) => {
  const decision = decide(facts(crt, now, output));
  const next = decision.publish ?? output;
  const pem = Buffer.from(next?.data?.["ca.crt"] ?? "", "base64").toString("utf8");
  const shows = [one, two, three].filter(({ certificate: each }) => pem.includes(each.trim()));
  return { decision, next, shows, first: pem.split("-----END")[0] };
};

test("the new authority comes first, the old one stays for a day and then goes by itself", () => {
  const before = step(one.certificate, start);
  assert.deepEqual(before.shows, [one]);
  assert.equal(before.decision.again, undefined);
  const rotated = step(two.certificate, start + 1_000, before.next);
  assert.deepEqual(rotated.shows, [one, two]);
  assert.ok(two.certificate.startsWith(rotated.first ?? "-"));
  assert.equal(rotated.decision.again, OVERLAP_MS + 1_000);
  const later = step(two.certificate, start + OVERLAP_MS / 2, rotated.next);
  assert.equal(later.decision.publish, undefined, "nothing is written meanwhile, nor is the day begun anew");
  assert.equal(later.decision.again, OVERLAP_MS / 2 + 2_000);
  const over = step(two.certificate, start + OVERLAP_MS + 2_000, rotated.next);
  assert.deepEqual(over.shows, [two]);
  assert.equal(over.decision.again, undefined);
  assert.equal(step(two.certificate, start + OVERLAP_MS + 3_000, over.next).decision.publish, undefined);
});

test("two changes within a day show all three; going back shows what is current once", () => {
  const first = step(one.certificate, start);
  const second = step(two.certificate, start + 1, first.next);
  const third = step(three.certificate, start + 2, second.next);
  assert.deepEqual(third.shows, [one, two, three]);
  const back = step(one.certificate, start + 3, third.next);
  assert.deepEqual(back.shows, [one, two, three]);
  assert.ok(one.certificate.startsWith(back.first ?? "-"));
});

test("what somebody else wrote is no earlier authority, nor is that of an application before this one", () => {
  const { next } = step(one.certificate, start);
  assert.ok(next);
  const forged = {
    ...next,
    data: { "ca.crt": Buffer.from(one.certificate + three.certificate, "utf8").toString("base64") },
  };
  assert.deepEqual(step(one.certificate, start + 1, forged).shows, [one]);
  const [reference] = next.metadata.ownerReferences ?? [];
  assert.ok(reference);
  const earlier = { ...next, metadata: { ...next.metadata, ownerReferences: [{ ...reference, uid: "before" }] } };
  assert.deepEqual(step(two.certificate, start + 1, earlier).shows, [two]);
});
