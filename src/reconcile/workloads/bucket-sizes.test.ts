import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { fakeWorld } from "../../../test/support/fake-world.ts";
import { type CountedBucket, endpointIn, queryUrl, readSizes, startBucketSizes } from "./bucket-sizes.ts";

const series = (name: string, bucket: string, value: string) => ({
  metric: { __name__: name, bucket },
  value: [1, value],
});
const answer = (...result: readonly object[]) => JSON.stringify({ status: "success", data: { result } });
const logical = "SeaweedFS_s3_bucket_size_bytes";
const physical = "SeaweedFS_s3_bucket_physical_size_bytes";

test("sizes are read per bucket; a reported 0 is a size, nonsense is none", () => {
  const sizes = readSizes(answer(series(logical, "a", "0"), series(physical, "a", "7"), series(logical, "b", "NaN")));
  assert.deepEqual([...sizes], [["a", { logical: 0, physical: 7 }]]);
});

test("a bucket's name is a name in the query, whatever is in it", () => {
  const url = queryUrl("http://metrics/", ['a.b|c"', "d"]);
  assert.ok(url.startsWith("http://metrics/api/v1/query?query="));
  const query = new URL(url).searchParams.get("query") ?? "";
  const selector = /bucket=~("(?:[^"\\]|\\.)*")\}$/.exec(query)?.[1] ?? "";
  const pattern = new RegExp(`^(?:${JSON.parse(selector)})$`);
  for (const name of ['a.b|c"', "d"]) assert.ok(pattern.test(name), name);
  for (const name of ["axb", "c", 'a.b|c"d', "dd"]) assert.ok(!pattern.test(name), name);
});

interface Started {
  readonly asked: string[];
  readonly errors: string[];
  readonly changed: string[];
  readonly world: ReturnType<typeof fakeWorld>;
  readonly of: (bucket: string) => unknown;
}

function start(t: TestContext, buckets: readonly CountedBucket[], answers: (url: string) => string): Started {
  const world = fakeWorld();
  const abort = new AbortController();
  t.after(() => abort.abort());
  const [asked, errors, changed]: string[][] = [[], [], []];
  const sizes = startBucketSizes(
    {
      world,
      buckets: () => buckets,
      ask: async (url) => {
        asked?.push(url);
        return answers(url);
      },
      onError: (endpoint) => errors?.push(endpoint),
    },
    abort.signal,
  );
  sizes.onChange((namespace) => changed?.push(namespace));
  return {
    asked: asked ?? [],
    errors: errors ?? [],
    changed: changed ?? [],
    world,
    of: (bucket) => sizes.of("a", bucket),
  };
}

const endpoint = endpointIn("tenant-root");
const bucket = (name: string): CountedBucket => ({ namespace: "a", bucket: name, endpoint });

test("one query a minute for all buckets of an endpoint, and none without buckets", async (t) => {
  const many = start(
    t,
    Array.from({ length: 100 }, (_, at) => bucket(`b${at}`)),
    () => answer(series(logical, "b7", "5")),
  );
  await many.world.advance(200_000);
  assert.equal(many.asked.length, 3);
  assert.deepEqual(many.of("b7"), { logical: 5 });
  assert.deepEqual(many.changed, ["a"], "told once, as it did not change again");
  const none = start(t, [], () => answer());
  await none.world.advance(200_000);
  assert.equal(none.asked.length, 0);
});

test("a failure keeps what is known, is told, and is repeated less and less often", async (t) => {
  let fails = false;
  const { world, asked, errors, of } = start(t, [bucket("b")], () => {
    if (fails) throw new Error("down");
    return answer(series(logical, "b", "5"));
  });
  await world.advance(61_000);
  fails = true;
  await world.advance(3_600_000);
  assert.deepEqual(of("b"), { logical: 5 });
  assert.equal(errors.length, asked.length - 1);
  assert.ok(errors.length < 15, `${errors.length} in an hour`);
});
