/**
 * What a TenantProjection comes to: which Secret to publish, or why none (secrets-and-certs.md 1). Pure.
 */
import type { SecretObject } from "../../contracts/core.ts";
import { canonical } from "../../reconcile/digest.ts";
import { certificatesIn, type Rejected } from "./certificates.ts";
import { isOurs, isPublishedBy, outputName, outputOf, type Projection } from "./output.ts";
import { bundleOf } from "./overlap.ts";

export interface ProjectionFacts {
  readonly projection: Projection;
  /** Release of the application it belongs to; undefined where its labels name none. */
  readonly release: string | undefined;
  /** Names of other live projections of the namespace that publish a certificate for the same release. */
  readonly rivals: readonly string[];
  readonly source: SecretObject | undefined;
  /** The Secret at the output name. */
  readonly output: SecretObject | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Verdict {
  readonly status: "True" | "False";
  readonly reason: string;
  readonly message: string;
}

export interface Decision {
  readonly verdict: Verdict;
  /** The whole Secret to create or to put in place of the one there is. */
  readonly publish?: SecretObject;
  /** Take back what was published. */
  readonly withdraw?: true;
  /** Milliseconds after which to decide again although nothing changes: an authority that was replaced is to go. */
  readonly again?: number;
  /** A warning for whoever looks at the Secret concerned. */
  readonly warning?: { readonly about: "source" | "output"; readonly reason: string; readonly message: string };
}

const no = (reason: string, message: string): Decision => ({ verdict: { status: "False", reason, message } });

export function decide(facts: ProjectionFacts): Decision {
  const { projection, release, rivals, output } = facts;
  if (release === undefined) return no("NoRelease", "its labels name no application");
  const name = outputName(release);
  const entries = projection.spec?.projections ?? [];
  const wanted = entries.filter(({ type }) => type === "CACert");
  if (wanted.length < entries.length) return no("UnsupportedProjectionType", "only projections of type CACert exist");
  if (wanted.length > 1) return no("MultipleCACertProjections", "only one CACert projection is possible");
  const [entry] = wanted;
  if (entry === undefined) {
    const owned = output !== undefined && isOurs(output, projection);
    return { ...no("SourceInvalid", "nothing is projected"), ...(owned ? { withdraw: true } : {}) };
  }
  if (rivals.length > 0) {
    return no("ReleaseContested", `${rivals.join(", ")} of the same application project a certificate too`);
  }
  const { sourceSecretName, sourceKey = "ca.crt" } = entry;
  if (sourceSecretName === "") return no("SourceInvalid", "sourceSecretName is empty");
  return judge(facts, name, sourceSecretName, sourceKey);
}

function judge(facts: ProjectionFacts, name: string, sourceName: string, key: string): Decision {
  const { projection, source, output, now } = facts;
  if (source === undefined) return no("SourceNotFound", `Secret ${sourceName} does not exist`);
  const encoded = source.data?.[key] ?? "";
  if (encoded === "") return no("SourceNotReady", `Secret ${sourceName} has no ${key} yet`);
  if (sourceName === name) return published(source, name);
  const checked = certificatesIn(Buffer.from(encoded, "base64").toString("utf8"));
  if (checked.is === "rejected") return refused(checked, sourceName, key);
  if (output === undefined)
    return projected({ publish: outputOf(facts, name, sourceName, bundleOf(checked.pem, undefined, false, now)) });
  if (!isOurs(output, projection)) {
    const message = `Secret ${name} belongs to somebody else and is left as it is`;
    return {
      ...no("ProjectionCollision", message),
      warning: { about: "output", reason: "CACertSecretCollision", message },
    };
  }
  if (output.metadata.deletionTimestamp !== undefined) {
    return no("ProjectionTerminating", `Secret ${name} is being deleted`);
  }
  const bundle = bundleOf(checked.pem, output, isPublishedBy(output, projection), now);
  const next = outputOf(facts, name, sourceName, bundle, output);
  const again = bundle.again === undefined ? {} : { again: bundle.again };
  return projected(canonical(next) === canonical(output) ? again : { publish: next, ...again });
}

function projected(rest: Partial<Decision>): Decision {
  return { verdict: { status: "True", reason: "Projected", message: "the certificate is published" }, ...rest };
}

/** The engine itself writes to the output name: fine as long as there is no key in it. */
function published(source: SecretObject, name: string): Decision {
  const values = Object.values(source.data ?? {}).map((value) => Buffer.from(value, "base64").toString("utf8"));
  const keyed = values
    .map(certificatesIn)
    .some((checked) => checked.is === "rejected" && checked.because === "privateKey");
  if (keyed) {
    const message = `Secret ${name} holds a private key, so it is not shown`;
    return {
      ...no("CanonicalNameOccupied", message),
      warning: { about: "source", reason: "CACertCanonicalNameOccupied", message },
    };
  }
  const plain = source.type === "Opaque" && Object.keys(source.data ?? {}).join() === "ca.crt";
  if (plain && source.metadata.labels?.["internal.cozystack.io/tenant-ca"] === "true") return projected({});
  const message = `Secret ${name} should be Opaque, hold ca.crt alone and carry the label internal.cozystack.io/tenant-ca`;
  return projected({ warning: { about: "source", reason: "CACertCanonicalNameContract", message } });
}

function refused(checked: Rejected, source: string, key: string): Decision {
  const message = `${key} of Secret ${source} is not shown: ${checked.why}`;
  const reason = checked.because === "privateKey" ? "CACertPrivateKeyRefused" : "CACertInvalid";
  return { ...no("SourceRejected", message), warning: { about: "source", reason, message } };
}
