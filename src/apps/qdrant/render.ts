/** From a Qdrant specification to its objects. */

import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { growClaims, templateSize } from "../../sdk/claim-growth.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import { helmRelease, innerRelease } from "../../sdk/inner-release.ts";
import { listed } from "../../sdk/listed.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { matching, optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { authoritySecrets, externalHost, ownAuthority, serviceNames, tlsEnabled } from "../../sdk/tls.ts";
import { clientSecret, key, keyNeeds, keySecret } from "./key.ts";
import type { Input, Spec } from "./spec.ts";

const chart = "cozystack-qdrant-application-default-qdrant-system";

/** The chart's claim template, and the beginning of its claims' names. */
const template = "qdrant-storage";

/** Where the servers find their certificate. */
const certificates = "/qdrant/tls";

/** A label of the servers' pods and claims. */
const serverLabels = (release: string) => ({ "app.kubernetes.io/instance": innerRelease(release) });

const headless = (release: string): string => `${release}-headless`;

/** The key, and the servers with their claims as they are, for volumes that are to grow. */
export function needs(input: Input) {
  const { release } = input;
  return {
    ...keyNeeds(input),
    set: optional(StatefulSet, release),
    claims: matching(PersistentVolumeClaim, serverLabels(release)),
  };
}

/** Every name by which clients and servers reach a server. */
function dnsNames(input: Input): readonly string[] {
  const { release, namespace, spec, context } = input;
  const service = headless(release);
  const servers = listed(spec.replicas, "spec.replicas", (server) => `${release}-${server}.${service}`);
  return [
    ...serviceNames(release, input),
    ...serviceNames(service, input),
    `*.${service}.${namespace}.svc.${clusterDomain(context)}`,
    ...servers.flatMap((server) => serviceNames(server, input)),
    ...(spec.external ? [externalHost(release, context)] : []),
  ];
}

/** What the chart is told about encryption. */
function encryption({ release, spec }: Input): object {
  const encrypted = tlsEnabled(spec);
  const config = { service: { enable_tls: encrypted }, cluster: { p2p: { enable_tls: encrypted } } };
  if (!encrypted) return { config, additionalVolumes: [], additionalVolumeMounts: [] };
  const [, leaf = ""] = authoritySecrets(release);
  const file = (name: string) => `${certificates}/${name}`;
  return {
    config: { ...config, tls: { cert: file("tls.crt"), key: file("tls.key"), ca_cert: file("ca.crt") } },
    // The servers read the certificate only when they start.
    podAnnotations: { "secret.reloader.stakater.com/reload": leaf },
    additionalVolumes: [{ name: "tls", secret: { secretName: leaf } }],
    additionalVolumeMounts: [{ name: "tls", mountPath: certificates, readOnly: true }],
  };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, context, needs: live } = input;
  const { storageClass, size, external } = spec;
  const values = {
    fullnameOverride: release,
    replicaCount: spec.replicas,
    resources: resources(spec, context),
    livenessProbe: { enabled: true },
    persistence: {
      // Never what is new: a claim template does not change, and Helm could not apply the release any more.
      size: templateSize(live.set, template) ?? size,
      ...(storageClass === "" ? {} : { storageClassName: storageClass }),
    },
    metrics: { serviceMonitor: { enabled: true } },
    ...(external ? { service: { type: "LoadBalancer" } } : {}),
    ...encryption(input),
  };
  const claims = live.claims.filter(({ metadata }) => metadata.name.startsWith(`${template}-`));
  return [
    ...(tlsEnabled(spec) ? ownAuthority(input, dnsNames(input), { saysNoCa: true }) : []),
    key(input, live),
    helmRelease(release, {
      chart,
      values: { qdrant: values },
      valuesFrom: [keySecret(release)],
      impacts: { fewer: { "qdrant.replicaCount": "stay" } },
    }),
    ...growClaims(claims, size, "spec.size"),
  ];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, serverLabels(input.release))];
}

export function expose({ release }: Input): Exposure {
  return { services: [release, headless(release)], secrets: [clientSecret(release)], monitors: [release] };
}

/** Vectors, the key, and the authority that clients trust, which cert-manager leaves behind. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: serverLabels(release) },
    { group: "", kind: "Secret", names: [keySecret(release), ...authoritySecrets(release)] },
  ];
}
