/** From a VPN specification to its objects. */

import { Deployment } from "../../contracts/apps.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { checkAddresses } from "../../sdk/addresses.ts";
import type { Exposure, Monitor, RenderInput } from "../../sdk/app.ts";
import { contentHash } from "../../sdk/hash.ts";
import { type Checksum, keptChecksum } from "../../sdk/kept-checksum.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { generatedSecret, optional } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { type Pair, pairOf, selfSigned } from "../../sdk/self-signed.ts";
import { port } from "./host.ts";
import { keys, serverFile, serverName, urlsNeed, urlsSecret, usersFile } from "./keys.ts";
import type { Input, Spec } from "./spec.ts";
import { image } from "./versions.ts";

/** Certificate of the server's management API, which nothing outside the pod reaches. */
const tlsSecret = (release: string): string => `${serverName(release)}-tls`;

export function needs(input: Input) {
  const { release } = input;
  return {
    server: optional(Secret, serverName(release)),
    live: optional(Deployment, serverName(release)),
    urls: urlsNeed(input),
    tls: generatedSecret(tlsSecret(release), selfSigned("outline-ca", "outline")),
  };
}

const instance = (release: string) => ({ "app.kubernetes.io/instance": release });

/** One file of a Secret at a path. The file does not follow the Secret, so that another one restarts the pods. */
const file = (volume: string, directory: string, name: string) => ({
  name: volume,
  mountPath: `${directory}/${name}`,
  subPath: name,
  readOnly: true,
});

const secretVolume = (name: string, secretName: string, items: Readonly<Record<string, string>>, mode?: number) => ({
  name,
  secret: {
    secretName,
    items: Object.entries(items).map(([key, path]) => ({ key, path })),
    ...(mode === undefined ? {} : { defaultMode: mode }),
  },
});

const certificateFile = "shadowbox.crt";
const keyFile = "shadowbox.key";
const state = "/root/shadowbox/persisted-state";

function deployment({ release, spec, context }: Input, { pods, ...own }: Checksum): Rendered {
  const name = serverName(release);
  const selector = { app: name, name };
  const variables = {
    SB_API_PORT: "60000",
    SB_CERTIFICATE_FILE: `/tmp/${certificateFile}`,
    SB_PRIVATE_KEY_FILE: `/tmp/${keyFile}`,
  };
  const container = {
    name: "outline-vpn",
    image,
    resources: resources(spec, context),
    ports: [{ containerPort: port, protocol: "TCP" as const }],
    env: Object.entries(variables).map(([variable, value]) => ({ name: variable, value })),
    volumeMounts: [
      { name: "cache", mountPath: "/cache" },
      { name: "shadowbox-config", mountPath: "/opt/outline" },
      { name: "shadowbox-config", mountPath: "/root/shadowbox" },
      file("shadowbox-server-config", state, serverFile),
      file("shadowbox-server-config", state, usersFile),
      file("tls", "/tmp", certificateFile),
      file("tls", "/tmp", keyFile),
    ],
  };
  return Deployment(name, {
    ...own,
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: { ...selector, ...instance(release) }, annotations: pods },
        spec: {
          restartPolicy: "Always",
          terminationGracePeriodSeconds: 30,
          containers: [container],
          volumes: [
            { name: "cache", emptyDir: {} },
            { name: "shadowbox-config", emptyDir: {} },
            secretVolume("tls", tlsSecret(release), { "tls.crt": certificateFile, "tls.key": keyFile }, 0o644),
            secretVolume("shadowbox-server-config", name, { [usersFile]: usersFile, [serverFile]: serverFile }),
          ],
        },
      },
    },
  });
}

/** A load balancer's Service, or one at addresses of nodes. */
function service({ release, spec }: Input): Rendered {
  const name = serverName(release);
  const { externalIPs, external } = spec;
  const reached =
    externalIPs.length > 0
      ? ({ type: "ClusterIP", externalIPs, externalTrafficPolicy: "Cluster" } as const)
      : ({ type: "LoadBalancer", externalTrafficPolicy: external ? "Local" : "Cluster" } as const);
  return Service(name, {
    labels: { app: name, ...instance(release) },
    spec: {
      ...reached,
      internalTrafficPolicy: "Cluster",
      selector: { app: name },
      ports: (["TCP", "UDP"] as const).map((protocol) => ({
        name: `accessport-${protocol.toLowerCase()}`,
        port,
        targetPort: port,
        protocol,
      })),
    },
  });
}

function tls(release: string, pair: Pair): Rendered {
  const data = Object.entries(pair).map(([key, value]) => [key, Buffer.from(value).toString("base64")]);
  return Secret(tlsSecret(release), { type: "kubernetes.io/tls", data: Object.fromEntries(data) });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, needs: known } = input;
  checkAddresses(spec.externalIPs, "spec.externalIPs");
  const { objects, files } = keys(input, known);
  const pair = pairOf(known.tls);
  // Keyed, so that nobody can try passwords against it.
  const checksum = contentHash(pair["tls.key"], JSON.stringify(files), 64);
  return [...objects, tls(release, pair), deployment(input, keptChecksum(checksum, known.live)), service(input)];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, instance(input.release))];
}

export function expose({ release }: Input): Exposure {
  return { secrets: [urlsSecret(release)], services: [serverName(release)] };
}
