/**
 * What the certificate's issuer may leave behind when what a host published goes: the certificate, and the solvers of a
 * challenge that will now never be answered.
 */
import { Challenge } from "../contracts/acme-cert-manager-io.ts";
import { Certificate } from "../contracts/cert-manager-io.ts";
import { Ingress } from "../contracts/networking-k8s-io.ts";
import type { Leftover } from "./app.ts";

/** Found by the host, never by a label alone: other applications of the tenant have solvers too. */
export function acmeLeftovers(host: string, certificate: string): readonly Leftover[] {
  return [
    { kind: Certificate, names: [certificate] },
    { kind: Challenge, where: { path: ["spec", "dnsName"], equals: host } },
    {
      kind: Ingress,
      labels: { "acme.cert-manager.io/http01-solver": "true" },
      where: { path: ["spec", "rules", 0, "host"], equals: host },
    },
  ];
}
