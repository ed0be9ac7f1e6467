/** The servers' settings, computed from the size of their containers and volumes. */
import { toFloat } from "../../sdk/go-number.ts";
import type { Resources } from "../../sdk/resources.ts";

const KiB = 1024;
const MiB = 1024 * KiB;

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Half of the memory, in whole chunks where it is as much as one. */
function bufferPool(memory: number): number {
  const half = Math.floor(memory / 2);
  const chunk = 128 * MiB;
  return Math.max(half >= chunk ? half - (half % chunk) : half, 8 * MiB);
}

/** `my.cnf` for a server with these limits and a volume of `size`. Upstream's rules, to the byte: another text restarts servers. */
export function myCnf({ limits }: Resources, size: string | number): string {
  const memory = Math.trunc(toFloat(limits["memory"] ?? 0));
  const cores = Math.ceil(toFloat(limits["cpu"] ?? 0));
  const inMiB = (bytes: number) => `${Math.floor(bytes / MiB)}M`;
  const memoryMiB = Math.floor(memory / MiB);
  const pool = bufferPool(memory);
  const log = clamp(Math.min(pool, Math.floor(Math.trunc(toFloat(size)) / 20)), 96 * MiB, 4096 * MiB);
  const part = Math.floor(memory / 32);
  const settings: readonly (readonly [string, string | number])[] = [
    ["sql-mode", "NO_ENGINE_SUBSTITUTION"],
    ["max_connections", clamp(Math.floor(memoryMiB / 4), 151, 4096)],
    ["default_authentication_plugin", "mysql_native_password"],
    ["innodb_buffer_pool_size", inMiB(pool)],
    ["innodb_fast_shutdown", 0],
    ["innodb_flush_method", "O_DIRECT_NO_FSYNC"],
    ["innodb_flush_log_at_trx_commit", 2],
    ["innodb_io_capacity", 10000],
    ["innodb_io_capacity_max", 50000],
    ["innodb_log_file_size", inMiB(log)],
    ["join_buffer_size", "2M"],
    ["key_buffer_size", inMiB(clamp(part, 8 * MiB, 128 * MiB))],
    ["read_rnd_buffer_size", `${Math.floor(clamp(Math.floor(memory / 256), 256 * KiB, 16 * MiB) / KiB)}K`],
    ["table_open_cache", clamp(memoryMiB * 4, 2000, 40714)],
    ["table_definition_cache", 4000],
    ["thread_pool_size", clamp(cores, 1, 24)],
    ["tmp_table_size", inMiB(clamp(part, 16 * MiB, 512 * MiB))],
    ["master_info_repository", "TABLE"],
    ["relay_log_info_repository", "TABLE"],
    ["innodb_read_io_threads", clamp(cores, 2, 12)],
    ["innodb_write_io_threads", clamp(cores, 2, 12)],
  ];
  return `[mysqld]\n${settings.map(([name, value]) => `${name}=${value}\n`).join("")}`;
}
