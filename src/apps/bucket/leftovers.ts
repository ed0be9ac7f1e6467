/**
 * What the certificate's issuer may leave behind when a bucket goes: the certificate, and the solvers of a challenge that
 * will now never be answered.
 */
import { Challenge } from "../../contracts/acme-cert-manager-io.ts";
import { Certificate } from "../../contracts/cert-manager-io.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import type { AppInput, Leftover } from "../../sdk/app.ts";
import type { Spec } from "./spec.ts";
import { certificateName, uiHost } from "./ui.ts";

/** Found by this bucket's host, never by a label alone: other applications of the tenant have solvers too. */
export function leftovers(input: AppInput<Spec>): readonly Leftover[] {
  const equals = uiHost(input);
  return [
    { kind: Certificate, names: [certificateName(input.release)] },
    { kind: Challenge, where: { path: ["spec", "dnsName"], equals } },
    {
      kind: Ingress,
      labels: { "acme.cert-manager.io/http01-solver": "true" },
      where: { path: ["spec", "rules", 0, "host"], equals },
    },
  ];
}
