/** AuthenticationConfigurations that an API server takes, and such as it does not: for our judgement and for a real one. */

interface Case {
  readonly why: string;
  readonly config: string;
  /** Where the fault is; undefined: there is none. */
  readonly fault?: string;
}

/** An API server takes one with an issuer only when that answers: `url`, with a certificate of `ca`. */
export function authenticationCases({ url, ca }: { readonly url: string; readonly ca: string }): readonly Case[] {
  const head = { apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "AuthenticationConfiguration" };
  const issuer = { url, audiences: ["cluster"], certificateAuthority: ca };
  const claimMappings = { username: { claim: "email", prefix: "" } };

  const whole = (more: object): string => JSON.stringify({ ...head, ...more });
  /** One issuer, changed. */
  const one = (more: object = {}): string => whole({ jwt: [{ issuer, claimMappings, ...more }] });
  const issued = (more: object): string => one({ issuer: { ...issuer, ...more } });
  const named = (username: object, more: object = {}): string => one({ claimMappings: { username, ...more } });
  const rule = (...claimValidationRules: readonly object[]): string => one({ claimValidationRules });
  const extra = (key: string): string => named(claimMappings.username, { extra: [{ key, valueExpression: "'x'" }] });
  const allowed = "g in ['a', 'b']";

  return [
    { why: "nobody", config: whole({ jwt: [] }) },
    { why: "one issuer", config: one() },
    { why: "YAML", config: "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthenticationConfiguration\njwt:\n" },
    { why: "the first version of the format", config: whole({ apiVersion: "apiserver.config.k8s.io/v1alpha1" }) },
    { why: "an authority", config: issued({ certificateAuthority: ca }) },
    {
      why: "an authority with words around it",
      config: issued({ certificateAuthority: `Ours\n${ca}\n` }),
    },
    { why: "several audiences", config: issued({ audiences: ["a", "b"], audienceMatchPolicy: "MatchAny" }) },
    {
      why: "a place of discovery",
      config: issued({ discoveryURL: `${url}/.well-known/openid-configuration` }),
    },
    { why: "a rule on a list of groups", config: rule({ expression: `dyn(claims.groups).exists(g, ${allowed})` }) },
    {
      why: "a rule with brackets in texts",
      config: rule({ expression: `claims.a != "(" && claims.b != r'\\' && claims.c != '''it's'''` }),
    },
    { why: "a required claim", config: rule({ claim: "hd", requiredValue: "example.org" }) },
    { why: "a name by expression", config: named({ expression: "claims.sub" }) },
    { why: "a verified address", config: named({ expression: "claims.email_verified ? claims.email : claims.sub" }) },
    {
      why: "groups and more",
      config: named(claimMappings.username, { groups: { claim: "groups", prefix: "" }, uid: { claim: "sub" } }),
    },
    { why: "more about users", config: extra("example.org/team") },
    {
      why: "a rule on users",
      config: one({ userValidationRules: [{ expression: "!user.username.startsWith('system:')" }] }),
    },

    { why: "no text", config: "", fault: "" },
    { why: "no mapping", config: "- a", fault: "" },
    { why: "a text that does not end", config: "jwt: [", fault: "" },
    { why: "another kind", config: whole({ kind: "AuthorizationConfiguration" }), fault: "kind" },
    { why: "another group", config: whole({ apiVersion: "v1" }), fault: "apiVersion" },
    { why: "an unknown field", config: whole({ jwts: [] }), fault: "" },
    { why: "an unknown field of an issuer", config: issued({ clientId: "x" }), fault: "jwt[0].issuer" },
    { why: "a number for a text", config: issued({ audiences: [1] }), fault: "jwt[0].issuer.audiences[0]" },
    {
      why: "too many issuers",
      config: whole({
        jwt: Array.from({ length: 65 }, (_, at) => ({
          issuer: { ...issuer, url: `https://${at}.example.org` },
          claimMappings,
        })),
      }),
      fault: "jwt",
    },
    {
      why: "an issuer twice",
      config: whole({ jwt: [1, 2].map(() => ({ issuer, claimMappings })) }),
      fault: "jwt[1].issuer.url",
    },
    { why: "no address", config: issued({ url: "" }), fault: "jwt[0].issuer.url" },
    {
      why: "an address without encryption",
      config: issued({ url: "http://id.example.org" }),
      fault: "jwt[0].issuer.url",
    },
    {
      why: "an address with a user",
      config: issued({ url: "https://a:b@id.example.org" }),
      fault: "jwt[0].issuer.url",
    },
    { why: "an address with a query", config: issued({ url: `${url}?a=b` }), fault: "jwt[0].issuer.url" },
    {
      why: "discovery where the issuer is",
      config: issued({ discoveryURL: `${url}/` }),
      fault: "jwt[0].issuer.discoveryURL",
    },
    { why: "no audience", config: issued({ audiences: [] }), fault: "jwt[0].issuer.audiences" },
    { why: "an empty audience", config: issued({ audiences: [""] }), fault: "jwt[0].issuer.audiences" },
    {
      why: "an audience twice",
      config: issued({ audiences: ["a", "a"], audienceMatchPolicy: "MatchAny" }),
      fault: "jwt[0].issuer.audiences[1]",
    },
    {
      why: "audiences without a policy",
      config: issued({ audiences: ["a", "b"] }),
      fault: "jwt[0].issuer.audienceMatchPolicy",
    },
    {
      why: "an unknown policy",
      config: issued({ audienceMatchPolicy: "MatchAll" }),
      fault: "jwt[0].issuer.audienceMatchPolicy",
    },
    {
      why: "an authority that is none",
      config: issued({ certificateAuthority: "Ours" }),
      fault: "jwt[0].issuer.certificateAuthority",
    },
    {
      why: "a certificate that cannot be read",
      config: issued({ certificateAuthority: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n" }),
      fault: "jwt[0].issuer.certificateAuthority",
    },
    { why: "nothing that says who a user is", config: named({}), fault: "jwt[0].claimMappings.username" },
    {
      why: "a claim without its prefix",
      config: named({ claim: "email" }),
      fault: "jwt[0].claimMappings.username.prefix",
    },
    {
      why: "a claim and an expression",
      config: named({ claim: "a", prefix: "", expression: "claims.a" }),
      fault: "jwt[0].claimMappings.username",
    },
    {
      why: "an expression with a prefix",
      config: named({ expression: "claims.a", prefix: "x:" }),
      fault: "jwt[0].claimMappings.username.prefix",
    },
    {
      why: "an address that nobody verified",
      config: named({ expression: "claims.email" }),
      fault: "jwt[0].claimMappings.username.expression",
    },
    {
      why: "a field of Kubernetes' own",
      config: extra("auth.k8s.io/team"),
      fault: "jwt[0].claimMappings.extra[0].key",
    },
    { why: "a field without a domain", config: extra("team"), fault: "jwt[0].claimMappings.extra[0].key" },
    { why: "a field in capitals", config: extra("example.org/Team"), fault: "jwt[0].claimMappings.extra[0].key" },
    { why: "a rule of nothing", config: rule({}), fault: "jwt[0].claimValidationRules[0]" },
    {
      why: "a rule of both kinds",
      config: rule({ claim: "a", expression: "true" }),
      fault: "jwt[0].claimValidationRules[0]",
    },
    {
      why: "words for a required claim",
      config: rule({ claim: "a", requiredValue: "b", message: "no" }),
      fault: "jwt[0].claimValidationRules[0].message",
    },
    {
      why: "a value for an expression",
      config: rule({ expression: "true", requiredValue: "b" }),
      fault: "jwt[0].claimValidationRules[0].requiredValue",
    },
    {
      why: "a rule twice",
      config: rule({ expression: "true" }, { expression: "true" }),
      fault: "jwt[0].claimValidationRules[1]",
    },
    {
      why: "a bracket that does not end",
      config: rule({ expression: "has(claims.a" }),
      fault: "jwt[0].claimValidationRules[0].expression",
    },
    {
      why: "a text in CEL that does not end",
      config: rule({ expression: "claims.a == 'b" }),
      fault: "jwt[0].claimValidationRules[0].expression",
    },
    {
      why: "a claim taken for a list",
      config: rule({ expression: `claims.groups.exists(g, ${allowed})` }),
      fault: "jwt[0].claimValidationRules[0].expression",
    },
    {
      why: "an empty rule on users",
      config: one({ userValidationRules: [{ expression: "" }] }),
      fault: "jwt[0].userValidationRules[0].expression",
    },
  ];
}
