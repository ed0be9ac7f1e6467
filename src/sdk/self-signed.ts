/**
 * A certificate of an authority that nobody keeps: for programs that insist on TLS where no client checks whom it speaks to.
 * Made with Node's cryptography alone, because a generated value cannot wait for anything.
 */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import type { GeneratedSecret, Generator } from "./needs.ts";

/** Keys of a Secret of type `kubernetes.io/tls`, with the authority's certificate. */
const keys = ["ca.crt", "tls.crt", "tls.key"] as const;

/** PEM texts by key of the Secret. */
export type Pair = Readonly<Record<(typeof keys)[number], string>>;

/** The distinguished encoding of one value: tag, length, content. */
function der(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(content);
  const digits = body.length.toString(16);
  const size = Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex");
  const length = body.length < 0x80 ? [body.length] : [0x80 | size.length, ...size];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...content: readonly Uint8Array[]): Uint8Array => der(0x30, ...content);
const text = (tag: number, value: string): Uint8Array => der(tag, Buffer.from(value));

// Object identifiers, encoded.
const commonName = Buffer.from("0603550403", "hex");
const basicConstraints = Buffer.from("0603551d13", "hex");
const ecdsaWithSha256 = Buffer.from("300a06082a8648ce3d040302", "hex");

const named = (name: string): Uint8Array => sequence(der(0x31, sequence(commonName, text(0x0c, name))));

/** From always to the end of time (RFC 5280, 4.1.2.5): nobody renews it. */
const validity = sequence(text(0x17, "000101000000Z"), text(0x18, "99991231235959Z"));

interface Subject {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly isAuthority: boolean;
}

interface Authority {
  readonly name: string;
  readonly privateKey: KeyObject;
}

function certificate(subject: Subject, authority: Authority, serial: Uint8Array): string {
  const yes = Buffer.from("0101ff", "hex");
  const constraints = subject.isAuthority ? [yes, der(0x04, sequence(yes))] : [yes, der(0x04, sequence())];
  const signed = sequence(
    der(0xa0, Buffer.from("020102", "hex")),
    der(0x02, Buffer.from([0x01, ...serial])),
    ecdsaWithSha256,
    named(authority.name),
    validity,
    named(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(basicConstraints, ...constraints))),
  );
  const signature = sign("sha256", signed, authority.privateKey);
  const whole = Buffer.from(sequence(signed, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature)));
  const body = whole.toString("base64").replace(/.{1,64}/g, "$&\n");
  return `-----BEGIN CERTIFICATE-----\n${body}-----END CERTIFICATE-----\n`;
}

function made(authorityName: string, name: string, random: (bytes: number) => Uint8Array): Pair {
  const authority = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const leaf = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const by = { name: authorityName, privateKey: authority.privateKey };
  const of = (subject: Subject) => certificate(subject, by, random(15));
  return {
    "ca.crt": of({ name: authorityName, publicKey: authority.publicKey, isAuthority: true }),
    "tls.crt": of({ name, publicKey: leaf.publicKey, isAuthority: false }),
    "tls.key": leaf.privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
  };
}

/**
 * Generators for the keys of the Secret. Whichever of them is asked, it gives all three, so that one missing key has all made
 * anew: {@link pairOf} reads them.
 */
export function selfSigned(authority: string, name: string): Readonly<Record<keyof Pair, Generator>> {
  let once: string | undefined;
  const generate: Generator = (random) => {
    // Finding primes takes a tenth of a second.
    once ??= JSON.stringify(made(authority, name, random));
    return once;
  };
  return { "ca.crt": generate, "tls.crt": generate, "tls.key": generate };
}

const isMade = (value: string | undefined): boolean => value?.startsWith("{") === true;

/** What the Secret is to hold: the live values as they are if it has all of them, else new ones. */
export function pairOf({ values }: GeneratedSecret): Pair {
  const made = keys.map((key) => values[key]).find(isMade);
  const source: Readonly<Record<string, unknown>> = made === undefined ? values : JSON.parse(made);
  const of = (key: keyof Pair) => String(source[key]);
  return { "ca.crt": of("ca.crt"), "tls.crt": of("tls.crt"), "tls.key": of("tls.key") };
}
