import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { resources } from "../../sdk/resources.ts";
import { myCnf } from "./config.ts";

const context = { cluster: {} };
const setting = (text: string, name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(text)?.[1];

interface Row {
  readonly why: string;
  readonly preset?: string;
  readonly amounts?: { readonly cpu?: string; readonly memory?: string };
  readonly size?: string | number;
  readonly is: Readonly<Record<string, string>>;
}

const rows: readonly Row[] = [
  {
    why: "the smallest preset has the least of everything but memory",
    is: {
      innodb_buffer_pool_size: "64M",
      innodb_log_file_size: "96M",
      max_connections: "151",
      key_buffer_size: "8M",
      tmp_table_size: "16M",
      read_rnd_buffer_size: "512K",
      table_open_cache: "2000",
      thread_pool_size: "1",
      innodb_read_io_threads: "2",
      innodb_write_io_threads: "2",
    },
  },
  {
    why: "a large preset on a small volume is bound by the volume",
    preset: "m1.large",
    is: {
      innodb_buffer_pool_size: "16384M",
      innodb_log_file_size: "512M",
      max_connections: "4096",
      key_buffer_size: "128M",
      tmp_table_size: "512M",
      read_rnd_buffer_size: "16384K",
      table_open_cache: "40714",
      thread_pool_size: "4",
      innodb_read_io_threads: "4",
    },
  },
  { why: "the log has a most", preset: "m1.large", size: "500Gi", is: { innodb_log_file_size: "4096M" } },
  { why: "the log is cut to whole MiB", preset: "m1.large", size: "4Gi", is: { innodb_log_file_size: "204M" } },
  { why: "a size may be a number", preset: "m1.large", size: 4 * 2 ** 30, is: { innodb_log_file_size: "204M" } },
  { why: "the pool has no most", preset: "m1.4xlarge", is: { innodb_buffer_pool_size: "131072M" } },
  {
    why: "threads have a most",
    preset: "m1.4xlarge",
    is: { thread_pool_size: "24", innodb_read_io_threads: "12", innodb_write_io_threads: "12" },
  },
  {
    why: "explicit amounts beat the preset",
    amounts: { cpu: "2", memory: "4Gi" },
    is: {
      innodb_buffer_pool_size: "2048M",
      innodb_log_file_size: "512M",
      max_connections: "1024",
      table_open_cache: "16384",
    },
  },
  {
    why: "the pool is whole chunks of 128 MiB",
    amounts: { memory: "600Mi" },
    is: { innodb_buffer_pool_size: "256M", read_rnd_buffer_size: "2400K", table_open_cache: "2400" },
  },
  { why: "the pool has a least", amounts: { memory: "1Mi" }, is: { innodb_buffer_pool_size: "8M" } },
  { why: "part of a core is a core", amounts: { cpu: "3100m" }, is: { thread_pool_size: "4" } },
];

const textOf = ({ preset = "t1.nano", amounts = {}, size = "10Gi" }: Partial<Row>) =>
  myCnf(resources({ resourcesPreset: preset, resources: amounts }, context), size);

for (const row of rows) {
  test(`my.cnf: ${row.why}`, () => {
    for (const [name, value] of Object.entries(row.is)) assert.equal(setting(textOf(row), name), value, name);
  });
}

test("my.cnf: the fixed settings, in their places, and nothing that spreads the pool or bounds threads", () => {
  const text = textOf({});
  assert.deepEqual(
    text.split("\n").map((line) => line.split("=")[0]),
    [
      "[mysqld]",
      "sql-mode",
      "max_connections",
      "default_authentication_plugin",
      "innodb_buffer_pool_size",
      "innodb_fast_shutdown",
      "innodb_flush_method",
      "innodb_flush_log_at_trx_commit",
      "innodb_io_capacity",
      "innodb_io_capacity_max",
      "innodb_log_file_size",
      "join_buffer_size",
      "key_buffer_size",
      "read_rnd_buffer_size",
      "table_open_cache",
      "table_definition_cache",
      "thread_pool_size",
      "tmp_table_size",
      "master_info_repository",
      "relay_log_info_repository",
      "innodb_read_io_threads",
      "innodb_write_io_threads",
      "",
    ],
  );
  assert.equal(setting(text, "innodb_flush_method"), "O_DIRECT_NO_FSYNC");
  assert.equal(setting(text, "innodb_fast_shutdown"), "0");
});

test("property: whatever the size, every setting is a whole number with a unit, within its bounds", () => {
  const quantity = fc
    .tuple(fc.integer({ min: 1, max: 4000 }), fc.constantFrom("Mi", "Gi", "M", "G", ""))
    .map((two) => two.join(""));
  fc.assert(
    fc.property(quantity, fc.integer({ min: 1, max: 64_000 }), quantity, (memory, cpu, size) => {
      const text = textOf({ amounts: { memory, cpu: `${cpu}m` }, size });
      const number = (name: string) => Number(/^[0-9]+/.exec(setting(text, name) ?? "")?.[0]);
      for (const [name, least, most] of [
        ["innodb_log_file_size", 96, 4096],
        ["key_buffer_size", 8, 128],
        ["max_connections", 151, 4096],
        ["tmp_table_size", 16, 512],
        ["read_rnd_buffer_size", 256, 16384],
        ["table_open_cache", 2000, 40714],
        ["thread_pool_size", 1, 24],
      ] as const) {
        assert.ok(number(name) >= least && number(name) <= most, `${name}=${setting(text, name)}`);
      }
      assert.ok(number("innodb_buffer_pool_size") >= 8);
      assert.doesNotMatch(text, /[eE]\+|NaN|\./);
    }),
  );
});
