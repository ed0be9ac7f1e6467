/**
 * Rendezvous hashing: which of several members a key belongs to. When a member comes or goes, only the keys it gains
 * or had change hands.
 */
import { createHash } from "node:crypto";

function weight(member: string, key: string): bigint {
  return createHash("sha256").update(member).update("\0").update(key).digest().readBigUInt64BE();
}

/** The member with the greatest weight for the key; undefined without members. */
export function ownerAmong(members: readonly string[], key: string): string | undefined {
  let best: string | undefined;
  let most = -1n;
  for (const member of members) {
    const own = weight(member, key);
    if (own > most || (own === most && best !== undefined && member < best)) [best, most] = [member, own];
  }
  return best;
}
