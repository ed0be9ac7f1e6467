/**
 * Our reading, printing and ordering of quantities against the API server's own: a volume's size limit answers how it
 * reads and prints them, a LimitRange which of two is more.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { testEngine } from "../../test/support/engine.ts";
import { Deployment, LimitRange } from "../kube/core-kinds.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { compareQuantities, formatQuantity, parseQuantity } from "./quantity.ts";

const engine = await testEngine();
const client = engine.client();
const namespace = await engine.namespace("quantities");

const labels = { app: "x" };

/** As the server prints it; undefined where it cannot read it, `negative` where only the volume's own rule is in the way. */
async function served(text: string): Promise<string | undefined | "negative"> {
  try {
    // A size limit, since amounts of resources are rounded to thousandths on the way.
    const volumes = [{ name: "v", emptyDir: { sizeLimit: text } }];
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "c" }], volumes } };
    const deployment = Deployment("d", { namespace, spec: { selector: { matchLabels: labels }, template } });
    const stored: unknown = await client.create(Deployment, deployment, { dryRun: true });
    const [volume] = list(valueAt(stored, "spec", "template", "spec", "volumes"));
    return String(valueAt(volume, "emptyDir", "sizeLimit"));
  } catch (error) {
    if (isApiError(error, "Invalid") && error.message.includes("SizeLimit field must be a valid")) return "negative";
    if (isApiError(error, "BadRequest")) return undefined;
    throw error;
  }
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const digits = fc.stringMatching(/^[0-9]{0,6}$/);
const suffixes = ["", "n", "u", "m", "k", "K", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e", "i"];
const suffix = fc.oneof(
  fc.constantFrom(...suffixes),
  fc
    .tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "+", "-"), fc.integer({ min: 0, max: 20 }))
    .map((parts) => parts.join("")),
);
const quantity = fc
  .tuple(fc.constantFrom("", "", "", "+", "-"), digits, fc.constantFrom("", ".", "."), digits, suffix)
  .map((parts) => parts.join(""));

const known = [
  { text: "1.500", why: "printed as given" },
  { text: "1500m", why: "printed as given" },
  { text: "1000m", why: "printed as 1" },
  { text: "2048Ki", why: "printed as 2Mi" },
  { text: "1024", why: "decimal, though a power of two" },
  { text: "0.5Gi", why: "a fraction of a binary suffix" },
  { text: "0.1Ki", why: "no whole number of bytes" },
  { text: "1.0000000001", why: "rounded up to a billionth" },
  { text: "9223372036854775807Ki", why: "binary amounts are capped" },
  { text: "12345678901234567890", why: "more digits than 64 bits" },
  { text: "1e3", why: "a decimal exponent" },
  { text: "1E", why: "exa" },
  { text: "1e", why: "no exponent" },
  { text: "+", why: "a sign alone is 0" },
  { text: ".", why: "a dot alone is 0" },
  { text: "m", why: "a suffix alone is 0" },
  { text: "1 Gi", why: "a space" },
  { text: "1KB", why: "no such suffix" },
  { text: "0x10", why: "no hexadecimal" },
];

/** From here on the API server drops the suffix it lacks and prints another value: there ours differs on purpose. */
const unprintable = parseQuantity("1000E")?.nano ?? 0n;

async function compare(text: string): Promise<void> {
  const theirs = await served(text);
  const ours = parseQuantity(text);
  if (ours?.format === "DecimalSI" && ours.nano >= unprintable) return;
  if (theirs === "negative") assert.ok(ours !== undefined && ours.nano < 0n, `${text} is negative`);
  else assert.equal(ours === undefined ? undefined : formatQuantity(ours), theirs, JSON.stringify(text));
}

for (const { text, why } of known) test(`${text} is read as the API server does: ${why}`, () => compare(text));

test("an amount that the API server misprints keeps its value", async () => {
  const ours = parseQuantity("1000E");
  assert.ok(ours);
  assert.equal(formatQuantity(ours), "1e21");
  assert.equal(await served("1000E"), "1");
});

test("quantities are read and printed as the API server does", async () => {
  await fc.assert(
    fc.asyncProperty(quantity, async (text) => {
      if (text !== "") await compare(text);
    }),
    { numRuns: 400 },
  );
});

test("quantities are ordered as the API server does", async () => {
  const positive = fc
    .tuple(fc.integer({ min: 1, max: 5000 }), fc.constantFrom("", "m", "k", "M", "Ki", "Mi", "e3", "e6"))
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(positive, positive, async (min, max) => {
      const [a, b] = [parseQuantity(min), parseQuantity(max)];
      assert.ok(a && b);
      const range = LimitRange("r", {
        namespace,
        spec: { limits: [{ type: "Container", min: { cpu: min }, max: { cpu: max } }] },
      });
      const more = await client.create(LimitRange, range, { dryRun: true }).then(
        () => false,
        (error: unknown) => {
          assert.ok(isApiError(error, "Invalid"), String(error));
          return true;
        },
      );
      assert.equal(compareQuantities(a, b) > 0, more, `${min} and ${max}`);
    }),
    { numRuns: 150 },
  );
});
