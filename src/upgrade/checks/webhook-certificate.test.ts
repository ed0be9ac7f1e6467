import { cases, denied } from "../../../test/support/check-cases.ts";
import { read } from "./source.ts";
import { type Serving, webhookCertificateCheck } from "./webhook-certificate.ts";

const made = Date.parse("2026-03-01T00:00:00Z");
const pod = (name: string, at: number, reloading = false) => ({
  namespace: "cozy-kubeovn",
  name,
  at,
  reloading,
  secrets: ["tls"],
});
const certificate = { certificate: "c", secret: "tls", at: made };
const serving = (given: Partial<Serving>) => ({
  serving: read({ pods: [pod("a", made + 1)], certificates: [certificate], ...given }),
});

cases(webhookCertificateCheck, [
  { why: "it has started since", facts: serving({}), is: "pass" },
  { why: "it reads a new one by itself", facts: serving({ pods: [pod("a", made - 1, true)] }), is: "pass" },
  {
    why: "it runs since before",
    facts: serving({ pods: [pod("a", made + 1), pod("b", made - 1)] }),
    is: "fail",
    severity: "blocking",
    objects: ["cozy-kubeovn/b"],
    says: /2026-03-01.*kubectl rollout restart deployment kubeovn-webhook/,
  },
  { why: "it is not installed", facts: { serving: read(undefined) }, is: "notApplicable" },
  { why: "a denied list", facts: { serving: denied }, is: "couldNotTell" },
  { why: "no certificate is known", facts: serving({ certificates: [] }), is: "couldNotTell" },
  {
    why: "its certificate is another's",
    facts: serving({ certificates: [{ ...certificate, secret: "other" }] }),
    is: "couldNotTell",
  },
  {
    why: "one that does not say when it was made",
    facts: serving({ certificates: [{ ...certificate, at: Number.NaN }] }),
    is: "couldNotTell",
  },
  {
    why: "a pod that does not say since when it runs",
    facts: serving({ pods: [pod("a", Number.NaN)] }),
    is: "couldNotTell",
    says: /Pod cozy-kubeovn\/a/,
  },
]);
