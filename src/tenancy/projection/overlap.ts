/**
 * A change of authority without a hard switch: for a day the old certificate is shown below the new one, so that whoever
 * reads the Secret trusts servers of both while they are replaced.
 */

import { X509Certificate } from "node:crypto";
import type { SecretObject } from "../../contracts/core.ts";
import { isRecord } from "../../kube/json.ts";
import { secretText } from "../../kube/secret-text.ts";
import { sha256hex } from "../../sdk/hash.ts";

/** How long an authority that was replaced is shown still, milliseconds. */
export const OVERLAP_MS = 24 * 3_600_000;
/** Of several changes within a day only the last are shown. */
const MOST = 4;

/** Digest of what was published: only what is exactly that is taken for an earlier authority. */
const DIGEST = "internal.cozystack.io/ca-cert-digest";
/** JSON: until when each replaced certificate is shown, by its fingerprint. */
const RETIRED = "internal.cozystack.io/ca-cert-retired";
export const overlapAnnotations: readonly string[] = [DIGEST, RETIRED];

export interface Bundle {
  readonly pem: string;
  readonly annotations: Readonly<Record<string, string>>;
  /** Milliseconds until one of them is to go; absent when none is. */
  readonly again?: number;
}

interface Certificate {
  readonly pem: string;
  readonly fingerprint: string;
  readonly until: number;
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g;

/** Certificates of a text that we made. */
function split(pem: string): readonly Certificate[] {
  return (pem.match(BLOCK) ?? []).map((block) => {
    const { fingerprint256, validTo } = new X509Certificate(block);
    return { pem: block, fingerprint: fingerprint256, until: Date.parse(validTo) };
  });
}

function retiredIn(annotations: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(annotations[RETIRED] ?? "{}");
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

/** What to show for `pem`, when `live` is shown now. `isSame`: it is of this very projection, not of one before it. */
export function bundleOf(pem: string, live: SecretObject | undefined, isSame: boolean, now: number): Bundle {
  const annotations = live?.metadata.annotations ?? {};
  const shown = secretText(live, "ca.crt");
  // What somebody else put there is no authority of ours.
  const isOurs = isSame && annotations[DIGEST] === sha256hex(shown);
  const current = new Set(split(pem).map(({ fingerprint }) => fingerprint));
  const retired = retiredIn(annotations);
  const kept = (isOurs ? split(shown) : [])
    .filter(({ fingerprint }) => !current.has(fingerprint))
    .map((each) => {
      const said = Date.parse(String(retired[each.fingerprint]));
      return { ...each, until: Math.min(each.until, Number.isNaN(said) ? now + OVERLAP_MS : said) };
    })
    .filter(({ until }) => until > now)
    .slice(0, MOST);
  const all = pem + kept.map((each) => each.pem).join("");
  const times = kept.map(({ fingerprint, until }) => [fingerprint, new Date(until).toISOString()] as const);
  return {
    pem: all,
    annotations: {
      [DIGEST]: sha256hex(all),
      ...(times.length === 0 ? {} : { [RETIRED]: JSON.stringify(Object.fromEntries(times)) }),
    },
    ...(kept.length === 0 ? {} : { again: Math.min(...kept.map(({ until }) => until)) - now + 1_000 }),
  };
}
