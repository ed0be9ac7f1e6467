/**
 * When certificates are renewed. A new authority is trusted, and told to the API server, well before anything that it
 * signed is served: there is no moment at which the API server does not trust what we serve.
 */
import { X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { issueAuthority, issueServing, type KeyedCertificate } from "./issue.ts";

export interface ServingState {
  /** What clients trust, PEM: the newest authority first. */
  readonly bundle: string;
  /** Key of the newest authority. */
  readonly authorityKey: string;
  readonly serving: KeyedCertificate;
}

const day = 24 * 3600 * 1000;
/** Left when a new authority is made, and when a new serving certificate is. Milliseconds. */
const renewAuthority = 365 * day;
const renewServing = 30 * day;
/** How long a new authority is trusted before it signs what is served. */
const settle = 10 * 60 * 1000;

/** The certificates of a bundle, as PEM. */
export function certificatesOf(bundle: string): readonly string[] {
  return bundle.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)?.map((pem) => `${pem}\n`) ?? [];
}

const left = (certificate: X509Certificate, now: number): number => certificate.validToDate.getTime() - now;

function serves(certificate: X509Certificate, names: readonly string[]): boolean {
  return names.every(
    (name) => (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined,
  );
}

/** What is to be done with a state now. */
export function dueStep(
  state: ServingState | undefined,
  names: readonly string[],
  now: number,
): "start" | "authority" | "serving" | "nothing" {
  const newest = state === undefined ? undefined : certificatesOf(state.bundle)[0];
  if (state === undefined || newest === undefined) return "start";
  const authority = new X509Certificate(newest);
  const serving = new X509Certificate(state.serving.certificate);
  if (left(authority, now) <= 0) return "start";
  if (left(authority, now) < renewAuthority) return "authority";
  // Certificates are dated back by an hour.
  const settled = now - (authority.validFromDate.getTime() + 3600 * 1000) >= settle;
  const signed = serving.checkIssued(authority) && serving.verify(authority.publicKey);
  if (left(serving, now) < renewServing || !serves(serving, names) || (settled && !signed)) return "serving";
  return "nothing";
}

/** The state after what is due; the same one when nothing is. */
export async function renewed(
  state: ServingState | undefined,
  names: readonly string[],
  now: number,
): Promise<ServingState> {
  const step = dueStep(state, names, now);
  if (state === undefined || step === "start") {
    const authority = await issueAuthority(now);
    return {
      bundle: authority.certificate,
      authorityKey: authority.key,
      serving: await issueServing(authority, names, now),
    };
  }
  const trusted = certificatesOf(state.bundle).filter((pem) => left(new X509Certificate(pem), now) > 0);
  switch (step) {
    case "authority": {
      const authority = await issueAuthority(now);
      return { ...state, bundle: [authority.certificate, ...trusted].join(""), authorityKey: authority.key };
    }
    case "serving": {
      const authority = { certificate: trusted[0] ?? "", key: state.authorityKey };
      return { ...state, bundle: trusted.join(""), serving: await issueServing(authority, names, now) };
    }
    case "nothing":
      return state;
  }
}
