/**
 * Judges an AuthenticationConfiguration before a control plane gets it: an API server that cannot read one does not start, and
 * one that runs goes on with the former. What is written in CEL is read for its brackets and quotes only: nothing but an API
 * server compiles it.
 */
import { X509Certificate } from "node:crypto";
import Type, { type Static, type TSchema } from "typebox";
import Value from "typebox/value";
import { parse } from "yaml";

/** What is wrong, and where. Neither quotes the text, which may be a Secret's. */
export interface Fault {
  /** Such as `jwt[0].issuer.url`; empty: the text as a whole. */
  readonly path: string;
  readonly message: string;
  /** Name of a field that there is not: this is out of the text. */
  readonly unknown?: string;
}

const text = Type.String();
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const closed = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, { additionalProperties: false });
const list = <T extends TSchema>(item: T, most = 1024) => Type.Array(item, { maxItems: most });

const mapping = closed({ claim: optional(text), expression: optional(text), prefix: optional(text) });

const authenticator = closed({
  issuer: closed({
    url: text,
    discoveryURL: optional(text),
    certificateAuthority: optional(text),
    audiences: list(text),
    audienceMatchPolicy: optional(Type.Enum(["", "MatchAny"])),
    egressSelectorType: optional(Type.Enum(["", "controlplane", "cluster"])),
  }),
  claimValidationRules: optional(
    list(
      closed({
        claim: optional(text),
        requiredValue: optional(text),
        expression: optional(text),
        message: optional(text),
      }),
    ),
  ),
  claimMappings: closed({
    username: mapping,
    groups: optional(mapping),
    uid: optional(closed({ claim: optional(text), expression: optional(text) })),
    extra: optional(list(closed({ key: text, valueExpression: text }))),
  }),
  userValidationRules: optional(list(closed({ expression: text, message: optional(text) }))),
});

const group = "apiserver.config.k8s.io";

const configuration = closed({
  apiVersion: Type.Enum([`${group}/v1`, `${group}/v1beta1`, `${group}/v1alpha1`]),
  kind: Type.Enum(["AuthenticationConfiguration"]),
  jwt: optional(Type.Union([list(authenticator, 64), Type.Null()])),
  anonymous: optional(closed({ enabled: Type.Boolean(), conditions: optional(list(closed({ path: text }))) })),
});

type Configuration = Static<typeof configuration>;
type Authenticator = Static<typeof authenticator>;

/** Minor versions of Kubernetes from which something is known. */
const since = { v1: 34, anonymous: 32, egressSelectorType: 34 } as const;

/** `/jwt/0/issuer` as `jwt[0].issuer`, of names of the schema only. */
const pathOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === "" ? part : `${path}.${part}`), "");

const what: Readonly<Record<string, string>> = {
  required: "lacks a field that it must have",
  additionalProperties: "has a field that there is not",
  type: "is of a wrong type",
  enum: "is none of the values that there are",
  maxItems: "has too many entries",
};

function faultOfShape(value: unknown): Fault {
  // An unknown field is told twice: by itself, and by what it is in.
  const error = Value.Errors(configuration, value).find(({ keyword }) => keyword !== "boolean");
  const fault = { path: pathOf(error?.instancePath ?? ""), message: what[error?.keyword ?? ""] ?? "cannot be read" };
  const unknown = error?.keyword === "additionalProperties" ? error.params.additionalProperties[0] : undefined;
  return unknown === undefined ? fault : { ...fault, unknown };
}

/** Yields what is wrong; the first is told. */
type Faults = Generator<Fault, void, undefined>;

const quotes = /^(?:r|R|b|B|br|bR|Br|BR)?("""|'''|"|')/;
const closes: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/** Whether brackets and quotes of a CEL expression end. */
function isWhole(expression: string): boolean {
  const open: string[] = [];
  for (let rest = expression; rest !== ""; ) {
    const quote = quotes.exec(rest);
    if (quote?.[1] !== undefined) {
      const isRaw = /^b?r/i.test(quote[0]);
      const body = rest.slice(quote[0].length);
      const end = endOf(body, quote[1], isRaw);
      if (end === undefined) return false;
      rest = body.slice(end);
      continue;
    }
    const [letter = ""] = rest;
    if ("([{".includes(letter)) open.push(letter);
    if (letter in closes && open.pop() !== closes[letter]) return false;
    // The rest of a name, so that its last letters are not taken for a prefix of a text.
    rest = rest.slice(/^\w+(?!["'\w])/.exec(rest)?.[0].length ?? 1);
  }
  return open.length === 0;
}

/** Where a text ends, after its quote. */
function endOf(body: string, quote: string, isRaw: boolean): number | undefined {
  for (let at = 0; at < body.length; at += 1) {
    if (body.startsWith(quote, at)) return at + quote.length;
    if (body[at] === "\\" && !isRaw) at += 1;
    if (quote.length === 1 && body[at] === "\n") return undefined;
  }
  return undefined;
}

/** A claim may be of any type, so that it is no list before it is said to be one. */
const untypedList = /\bclaims(?:\.\w+|\[[^\]]*\])+\s*\.\s*(?:all|exists|exists_one|filter|map)\s*\(/;

function* faultsOfExpression(path: string, expression: string): Faults {
  if (!isWhole(expression)) yield { path, message: "has a bracket or a quote without its other" };
  if (untypedList.test(expression))
    yield { path, message: "goes through a claim without dyn(): the API server would not start" };
}

function* faultsOfUrl(path: string, given: string): Faults {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (given === "" || url === undefined) yield { path, message: "is no URL" };
  else if (url.protocol !== "https:") yield { path, message: "must begin with https://" };
  else if (url.username !== "" || url.password !== "") yield { path, message: "must have no user in it" };
  else if (/[?#]./.test(given)) yield { path, message: "must end with its path" };
}

function twice(all: readonly string[]): number {
  return all.findIndex((one, at) => all.indexOf(one) !== at);
}

function isBundle(pem: string): boolean {
  const all = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  try {
    for (const one of all) new X509Certificate(one);
    return all.length > 0;
  } catch {
    return false; // what cannot be read is no certificate
  }
}

const trimmed = (url: string): string => url.replace(/\/+$/, "");

function* faultsOfIssuer(path: string, issuer: Authenticator["issuer"]): Faults {
  const { url, discoveryURL = "", audiences, audienceMatchPolicy = "", certificateAuthority = "" } = issuer;
  yield* faultsOfUrl(`${path}.url`, url);
  if (discoveryURL !== "") {
    yield* faultsOfUrl(`${path}.discoveryURL`, discoveryURL);
    if (trimmed(discoveryURL) === trimmed(url)) yield { path: `${path}.discoveryURL`, message: "is the same as url" };
  }
  if (audiences.length === 0) yield { path: `${path}.audiences`, message: "must have at least one" };
  if (audiences.includes("")) yield { path: `${path}.audiences`, message: "has an empty one" };
  const again = twice(audiences);
  if (again >= 0) yield { path: `${path}.audiences[${again}]`, message: "is there twice" };
  if (audiences.length > 1 && audienceMatchPolicy === "")
    yield { path: `${path}.audienceMatchPolicy`, message: "must be MatchAny where there are several audiences" };
  if (certificateAuthority !== "" && !isBundle(certificateAuthority))
    yield { path: `${path}.certificateAuthority`, message: "has no certificates in PEM" };
}

type Claimed = { readonly claim?: string; readonly expression?: string; readonly prefix?: string };

function* faultsOfMapping(path: string, { claim = "", expression = "", prefix }: Claimed, isNeeded: boolean): Faults {
  if (claim !== "" && expression !== "") yield { path, message: "takes either claim or expression" };
  if (claim === "" && expression === "" && isNeeded) yield { path, message: "needs claim or expression" };
  if (expression !== "" && prefix !== undefined) yield { path: `${path}.prefix`, message: "goes with claim only" };
  if (claim !== "" && prefix === undefined)
    yield { path: `${path}.prefix`, message: "must be said, were it empty, where claim is" };
  if (claim === "" && expression === "" && (prefix ?? "") !== "")
    yield { path: `${path}.prefix`, message: "goes with claim only" };
  yield* faultsOfExpression(`${path}.expression`, expression);
}

function* faultsOfRules(path: string, rules: NonNullable<Authenticator["claimValidationRules"]>): Faults {
  for (const [at, { claim = "", expression = "", message = "", requiredValue = "" }] of rules.entries()) {
    const here = `${path}[${at}]`;
    if ((claim === "") === (expression === "")) yield { path: here, message: "takes either claim or expression" };
    if (claim !== "" && message !== "") yield { path: `${here}.message`, message: "goes with expression only" };
    if (expression !== "" && requiredValue !== "")
      yield { path: `${here}.requiredValue`, message: "goes with claim only" };
    yield* faultsOfExpression(`${here}.expression`, expression);
  }
  const again = twice(rules.map(({ claim = "", expression = "" }) => `${claim}\0${expression}`));
  if (again >= 0) yield { path: `${path}[${again}]`, message: "is there twice" };
}

const domainPath = /^[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[a-z0-9\-._~%!$&'()*+,;=:]+$/;

function* faultsOfMappings(path: string, mappings: Authenticator["claimMappings"]): Faults {
  const { username, groups, uid, extra = [] } = mappings;
  yield* faultsOfMapping(`${path}.username`, username, true);
  if (groups !== undefined) yield* faultsOfMapping(`${path}.groups`, groups, false);
  if (uid?.claim && uid.expression) yield { path: `${path}.uid`, message: "takes either claim or expression" };
  yield* faultsOfExpression(`${path}.uid.expression`, uid?.expression ?? "");
  for (const [at, { key, valueExpression }] of extra.entries()) {
    const here = `${path}.extra[${at}]`;
    if (!domainPath.test(key)) yield { path: `${here}.key`, message: "must be a domain, a slash and a name" };
    if (/^([^/]*\.)?(kubernetes|k8s)\.io\//.test(key)) yield { path: `${here}.key`, message: "is of Kubernetes' own" };
    if (valueExpression === "") yield { path: `${here}.valueExpression`, message: "is empty" };
    yield* faultsOfExpression(`${here}.valueExpression`, valueExpression);
  }
  const again = twice(extra.map(({ key }) => key));
  if (again >= 0) yield { path: `${path}.extra[${again}].key`, message: "is there twice" };
}

const email = /\bclaims\s*(\.\s*email\b|\[\s*["']email["']\s*\])/;
const verified = /\bemail_verified\b/;

/** Who may call themselves what they like, unless the provider has seen to it. */
function* faultsOfEmail(path: string, { claimMappings, claimValidationRules = [] }: Authenticator): Faults {
  const expression = claimMappings.username.expression ?? "";
  const all = [
    expression,
    ...(claimMappings.extra ?? []).map(({ valueExpression }) => valueExpression),
    ...claimValidationRules.map((rule) => rule.expression ?? ""),
  ];
  if (email.test(expression) && !all.some((one) => verified.test(one)))
    yield { path: `${path}.claimMappings.username.expression`, message: "uses claims.email without email_verified" };
}

function* faultsOf({ apiVersion, jwt, anonymous }: Configuration, minor: number): Faults {
  if (apiVersion === `${group}/v1` && minor < since.v1)
    yield { path: "apiVersion", message: `is known from Kubernetes 1.${since.v1} on: write v1beta1` };
  const all = jwt ?? [];
  for (const [at, one] of all.entries()) {
    const path = `jwt[${at}]`;
    yield* faultsOfIssuer(`${path}.issuer`, one.issuer);
    if (one.issuer.egressSelectorType !== undefined && minor < since.egressSelectorType)
      yield { path: `${path}.issuer.egressSelectorType`, message: "is not known to this version of Kubernetes" };
    yield* faultsOfRules(`${path}.claimValidationRules`, one.claimValidationRules ?? []);
    yield* faultsOfMappings(`${path}.claimMappings`, one.claimMappings);
    yield* faultsOfEmail(path, one);
    for (const [index, { expression }] of (one.userValidationRules ?? []).entries()) {
      const here = `${path}.userValidationRules[${index}].expression`;
      if (expression === "") yield { path: here, message: "is empty" };
      yield* faultsOfExpression(here, expression);
    }
  }
  const issuer = twice(all.map((one) => one.issuer.url));
  if (issuer >= 0) yield { path: `jwt[${issuer}].issuer.url`, message: "is that of another one as well" };
  if (anonymous === undefined) return;
  if (minor < since.anonymous) yield { path: "anonymous", message: "is not known to this version of Kubernetes" };
  if (!anonymous.enabled && (anonymous.conditions ?? []).length > 0)
    yield { path: "anonymous.conditions", message: "mean nothing while it is not enabled" };
}

/** The first thing that is wrong with the configuration for an API server of version 1.`minor`; undefined: nothing is. */
export function faultOf(given: string, minor: number): Fault | undefined {
  let value: unknown;
  try {
    value = parse(given);
  } catch {
    return { path: "", message: "is neither YAML nor JSON, or several documents" }; // the parser's words would quote it
  }
  if (!Value.Check(configuration, value)) return faultOfShape(value);
  return faultsOf(value, minor).next().value ?? undefined;
}
