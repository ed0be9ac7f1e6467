/** From the BootBox's specification to its objects. */
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { Hardware } from "../../contracts/tinkerbell-org.ts";
import { acmeLeftovers } from "../../sdk/acme-leftovers.ts";
import type { Exposure, Leftover, Monitor } from "../../sdk/app.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { issuerAnnotations, isWildcard } from "../../sdk/web-certificate.ts";
import { matchbox, matchboxObjects, service } from "./matchbox.ts";
import { check } from "./rules.ts";
import type { Input, Spec } from "./spec.ts";

/** Where Tinkerbell's DHCP server looks for machines. */
const machinesNamespace = "cozy-bootbox";

const certificate = "bootbox-tls";

function hostOf({ spec, context }: Input): string {
  const { host = "" } = spec;
  return `bootbox.${host === "" ? context.namespace.host : host}`;
}

/** An address that nobody has: the list is closed, not absent. */
const nobody = "0.0.0.0/32";

function ingress(input: Input): Rendered {
  const { spec, context } = input;
  const host = hostOf(input);
  const sources = spec.whitelist.length === 0 ? nobody : spec.whitelist.join(",");
  const annotations = {
    ...issuerAnnotations(context),
    ...(spec.whitelistHTTP ? { "nginx.ingress.kubernetes.io/whitelist-source-range": sources } : {}),
  };
  const backend = { service: { name: service, port: { name: "http" } } };
  return Ingress("bootbox", {
    labels: { app: "bootbox" },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    spec: {
      ingressClassName: context.namespace.ingress,
      tls: [{ hosts: [host], ...(isWildcard(context) ? {} : { secretName: certificate }) }],
      rules: [{ host, http: { paths: [{ path: "/", pathType: "ImplementationSpecific", backend }] } }],
    },
  });
}

/** A list that is not there says the same as an empty one. */
const some = <K extends string>(key: K, list: readonly string[] = []) =>
  list.length === 0 ? {} : { [key]: [...list] };

function machine(input: Input, given: Spec["machines"][number]): Rendered {
  const { hostname, arch, ip, leaseTime, uefi, nameServers, timeServers, mac = [] } = given;
  const { address, gateway, netmask, family } = ip;
  const known = {
    hostname,
    ...(arch === "" ? {} : { arch }),
    ip: { address, gateway, netmask, ...(family === undefined ? {} : { family }) },
    ...(leaseTime === 0 ? {} : { lease_time: leaseTime }),
    ...(uefi ? { uefi } : {}),
    ...some("name_servers", nameServers),
    ...some("time_servers", timeServers),
  };
  const netboot = { allowPXE: true, ipxe: { url: `https://${hostOf(input)}/boot.ipxe` } };
  const interfaces = mac.map((one) => ({ dhcp: { ...known, mac: one.toLowerCase() }, netboot }));
  return Hardware(hostname, {
    namespace: machinesNamespace,
    spec: interfaces.length === 0 ? {} : { interfaces },
  });
}

export function render(input: Input): readonly Rendered[] {
  check(input);
  return [...matchboxObjects(), ingress(input), ...input.spec.machines.map((one) => machine(input, one))];
}

export function monitors(): readonly Monitor[] {
  return [{ name: matchbox, type: "matchbox", replicas: 1, minReplicas: 1, selector: { app: matchbox } }];
}

export function expose(): Exposure {
  return { ingresses: ["bootbox"], services: [service], monitors: [matchbox], level: "super-admin" };
}

export function leftovers(input: Input): readonly Leftover[] {
  return acmeLeftovers(hostOf(input), certificate);
}
