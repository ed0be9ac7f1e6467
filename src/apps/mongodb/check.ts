/**
 * What the rules refuse, for documents that no API server has seen; and what is too much for rules: users without a role, and
 * sizes in a list.
 */
import type { PerconaServerMongoDB } from "../../contracts/psmdb-percona-com.ts";
import { refuse } from "../../sdk/errors.ts";
import { compareQuantities, quantityOf } from "../../sdk/quantity.ts";
import { isVolumeSize, volumeMessage } from "../../sdk/volume-size.ts";
import { bucketOf } from "./backup.ts";
import { sets } from "./parts.ts";
import {
  bucket,
  keys,
  longestSet,
  messages,
  missing,
  operatorUser,
  otherParts,
  recoveryTime,
  source,
} from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

const invalid = (field: string, message: string, remedy: string): never =>
  refuse({ code: "InvalidValue", field: `spec.${field}`, message, remedy });

function checkUsers({ users, databases }: Spec): void {
  if (users[operatorUser] !== undefined) invalid(`users.${operatorUser}`, messages.user, "Choose another name.");
  const roles = Object.values(databases).flatMap((database) => [
    ...(database.roles?.admin ?? []),
    ...(database.roles?.readonly ?? []),
  ]);
  const withRole = new Set(roles);
  const lonely = Object.keys(users).find((name) => !withRole.has(name));
  if (lonely === undefined) return;
  const message = `the user ${lonely} has no role in any database`;
  invalid(`users.${lonely}`, message, "List the user under roles of a database, or remove it.");
}

function checkShards({ release, spec }: Pick<Input, "release" | "spec">): void {
  if (spec.sharding && spec.shardingConfig.shards.length === 0)
    invalid("shardingConfig.shards", messages.shards, "Add a shard, or set sharding to false.");
  for (const { name } of spec.shardingConfig.shards) {
    const taken = otherParts.some((other) => other === name);
    if (taken) invalid("shardingConfig.shards", messages.shard, "Rename the shard.");
  }
  for (const part of sets(spec)) {
    const excess = release.length + part.length + 1 - longestSet;
    if (excess <= 0) continue;
    refuse({
      code: "NameTooLong",
      field: "metadata.name",
      message: `the name ${release}-${part} of a part of the cluster has more than ${longestSet} characters`,
      remedy: `Choose a name that is ${excess} characters shorter.`,
    });
  }
}

function checkBackup({ backup, bootstrap }: Spec): void {
  const missingKey = backup.enabled || bootstrap.enabled ? keys.find((field) => backup[field] === "") : undefined;
  if (missingKey !== undefined) {
    const message = missing(missingKey, backup.enabled ? "backup" : "bootstrap");
    invalid(`backup.${missingKey}`, message, `Set backup.${missingKey}, or switch backup and bootstrap off.`);
  }
  if (bootstrap.enabled && bootstrap.backupName === "")
    invalid("bootstrap.backupName", messages.backupName, "Give the name of the backup.");
  const field = bootstrap.enabled ? source.find((each) => backup[each] === "") : undefined;
  if (field !== undefined) invalid(`backup.${field}`, missing(field, "bootstrap"), `Set backup.${field}.`);
  if ((backup.enabled || bootstrap.enabled) && !new RegExp(bucket).test(bucketOf(backup.destinationPath)))
    invalid("backup.destinationPath", messages.bucket, "Write it as s3://bucket/folder.");
  const time = bootstrap.recoveryTime;
  if (bootstrap.enabled && time !== "" && !new RegExp(recoveryTime).test(time))
    invalid("bootstrap.recoveryTime", messages.recoveryTime, "Write it as in the example.");
}

/** Sizes of shards that are none, or less than live. */
function checkSizes({ sharding, shardingConfig: { shards } }: Spec, live: Live | undefined): void {
  for (const [at, { name, size }] of shards.entries()) {
    const field = `shardingConfig.shards[${at}].size`;
    if (!isVolumeSize(size, "always")) invalid(field, volumeMessage("always"), "Choose a larger size.");
    const set = sharding ? live?.spec.replsets?.find((each) => each.name === name) : undefined;
    const before = set?.volumeSpec?.persistentVolumeClaim?.resources?.requests?.["storage"];
    if (before === undefined) continue;
    if (compareQuantities(quantityOf(size, `spec.${field}`), quantityOf(before, `spec.${field}`)) < 0)
      invalid(field, `${messages.shardSize}, and that of ${name} has ${before}`, "Make it larger, or add a shard.");
  }
}

type Live = ReturnType<typeof PerconaServerMongoDB>;

/** `live`: the cluster as it is. */
export function check(input: Pick<Input, "release" | "spec">, live: Live | undefined): void {
  checkUsers(input.spec);
  checkShards(input);
  checkSizes(input.spec, live);
  checkBackup(input.spec);
}
