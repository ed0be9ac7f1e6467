/** The configuration of HAProxy. */
import { checkHosts, checkPrefixes, withPort } from "../../sdk/addresses.ts";
import { arrivesAt, haproxyConfig, onlyFrom, section } from "../../sdk/haproxy.ts";
import type { Spec } from "./spec.ts";

/** One port that is forwarded. */
interface Forward {
  readonly name: string;
  readonly listens: number;
  /** Lines of the frontend besides those that all have. */
  readonly rules: readonly string[];
  readonly mode: string;
  readonly endpoints: readonly string[];
  readonly port: number;
}

function sections({ name, listens, rules, mode, endpoints, port }: Forward): readonly string[] {
  const proxy = mode === "tcp-with-proxy" ? " send-proxy-v2" : "";
  return [
    section(`frontend ${name}`, [`bind :::${listens} v4v6`, "mode tcp", `default_backend ${name}`, ...rules]),
    section(`backend ${name}`, [
      "mode tcp",
      "balance leastconn",
      `default-server observe layer4 error-limit 10 on-error mark-down check${proxy}`,
      ...endpoints.map((endpoint, at) => `server srv${at} ${withPort(endpoint, port)} check`),
    ]),
  ];
}

/** Of ports 80 and 443, those with a target. */
function web({ httpAndHttps, whitelistHTTP, whitelist }: Spec): readonly Forward[] {
  const { mode, targetPorts, endpoints } = httpAndHttps;
  const allowed = whitelistHTTP ? onlyFrom(whitelist) : [];
  const ports = [
    { name: "http", listens: 8080, arrives: 80, port: targetPorts.http },
    { name: "https", listens: 8443, arrives: 443, port: targetPorts.https },
  ];
  return ports
    .filter(({ port }) => port !== 0)
    .map(({ arrives, ...forward }) => ({ ...forward, rules: [arrivesAt(arrives), ...allowed], mode, endpoints }));
}

/** Ports of a control plane, by name. Container, Service and endpoints have the same. */
export const controlPlanePorts = { kubernetes: 6443, talos: 50_000 } as const;

/** Whether the ports of a control plane are forwarded. */
export function forwardsControlPlane({ kubernetesAndTalos = {} }: Spec): boolean {
  return Object.keys(kubernetesAndTalos).length > 0;
}

function controlPlane(spec: Spec): readonly Forward[] {
  const { mode = "", endpoints = [] } = spec.kubernetesAndTalos ?? {};
  return Object.entries(controlPlanePorts).map(([name, port]) => ({
    name,
    listens: port,
    rules: onlyFrom(spec.whitelist),
    mode,
    endpoints,
    port,
  }));
}

/** The file. Refuses addresses that are none: HAProxy would not start. */
export function config(spec: Spec): string {
  checkPrefixes(spec.whitelist, "spec.whitelist");
  checkHosts(spec.httpAndHttps.endpoints, "spec.httpAndHttps.endpoints");
  checkHosts(spec.kubernetesAndTalos?.endpoints ?? [], "spec.kubernetesAndTalos.endpoints");
  const forwards = [...web(spec), ...(forwardsControlPlane(spec) ? controlPlane(spec) : [])];
  return haproxyConfig(forwards.flatMap(sections));
}
