/**
 * Plays Kamaji: a DataStore is ready once its certificates are there, a control plane once its pods are. Where the twin has API
 * servers for tenants' clusters, one answers for it on loopback, and its kubeconfig works there; else nothing answers at its
 * address, and its kubeconfig leads nowhere.
 */
import { Deployment } from "../../contracts/apps.ts";
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { Secret, Service } from "../../contracts/core.ts";
import { DataStore } from "../../contracts/kamaji-clastix-io.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64, secretText } from "../../kube/secret-text.ts";
import { type Player, player, type Scene } from "../player.ts";
import { container, podSpec } from "./parts.ts";

type ControlPlane = ReturnType<typeof KamajiControlPlane>;

const dataStore: Player<ReturnType<typeof DataStore>> = {
  kind: DataStore,
  makes: [],
  reads: [Secret],
  play({ spec: { tlsConfig } }, scene) {
    const pairs = [tlsConfig?.certificateAuthority, tlsConfig?.clientCertificate];
    const needed = pairs.flatMap((pair) => [pair?.certificate, pair?.privateKey]);
    const isThere = needed.every((content) => {
      const from = content?.secretReference;
      return from === undefined || scene.find(Secret, from.name ?? "", from.namespace)?.data?.[from.keyPath];
    });
    return { children: [], status: { ready: isThere && scene.behaviour === "normal" } };
  },
};

const selector = (name: string) => ({
  "kamaji.clastix.io/component": "deployment",
  "kamaji.clastix.io/name": name,
});

function deployment({ metadata: { name }, spec }: ControlPlane): KubeObject {
  const labels = selector(name);
  const { podAdditionalMetadata, extraContainers = [], extraVolumes = [] } = spec.deployment ?? {};
  // Of users' volumes, only those that a pod waits for.
  const volumes = extraVolumes.flatMap((volume) => {
    const secretName = valueAt(volume, "secret", "secretName");
    return typeof secretName === "string" ? [{ name: volume.name, secret: { secretName } }] : [];
  });
  const own = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"].map((program) =>
    container(program, `registry.k8s.io/${program}:${spec.version}`),
  );
  return Deployment(name, {
    labels,
    spec: {
      replicas: spec.replicas ?? 2,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...podAdditionalMetadata?.labels, ...labels } },
        spec: podSpec(
          [...own, ...extraContainers.map(({ name: one, image, env = [] }) => container(one, image, { env }))],
          { volumes },
        ),
      },
    },
  });
}

/** The authentication configuration that its API server reads: a file of a Secret, mounted. */
function configuration({ metadata: { namespace }, spec }: ControlPlane, scene: Scene): string {
  const flag = "--authentication-config=";
  const path = spec.apiServer?.extraArgs?.find((one) => one.startsWith(flag))?.slice(flag.length) ?? "";
  const mount = spec.apiServer?.extraVolumeMounts?.find(({ mountPath }) => path.startsWith(`${String(mountPath)}/`));
  const volume = spec.deployment?.extraVolumes?.find(({ name }) => name === mount?.name);
  const secret = scene.find(Secret, String(valueAt(volume, "secret", "secretName") ?? ""), namespace);
  return secretText(secret, path.slice(path.lastIndexOf("/") + 1));
}

/** Where it is reached. */
interface Reached {
  readonly ca: string;
  readonly token: string;
  readonly within: string;
  readonly outside: string;
}

function reached({ metadata: { name, namespace }, spec }: ControlPlane, scene: Scene): Reached | undefined {
  const cluster = scene.cluster(name);
  if (cluster === "down") return undefined;
  if (cluster !== "simulated") return { ...cluster, within: cluster.server, outside: cluster.server };
  const within = `https://${name}.${namespace}.svc:6443`;
  const host = spec.network?.ingress?.hostname.replace(/:[0-9]+$/, "");
  const outside = host === undefined ? within : `https://${host}:443`;
  return { ca: scene.certificate, token: scene.token("administrator", 32), within, outside };
}

/** How people and controllers get in. What is there stays while nothing answers. */
function secrets({ metadata: { name, namespace } }: ControlPlane, scene: Scene, at: Reached | undefined) {
  const labels = selector(name);
  const kubeconfig = (server: string, { ca, token }: Reached) =>
    base64(
      JSON.stringify({
        apiVersion: "v1",
        kind: "Config",
        clusters: [{ name, cluster: { server, "certificate-authority-data": base64(ca) } }],
        contexts: [{ name, context: { cluster: name, user: name } }],
        users: [{ name, user: { token } }],
        "current-context": name,
      }),
    );
  // Keys in the order in which the API server gives them back: what is kept is then no change.
  const secret = (suffix: string, dataOf: (reached: Reached) => Readonly<Record<string, string>>) => {
    const data = at === undefined ? scene.find(Secret, `${name}-${suffix}`, namespace)?.data : dataOf(at);
    return data === undefined ? [] : [Secret(`${name}-${suffix}`, { labels, data })];
  };
  return [
    ...secret("ca", ({ ca }) => ({ "ca.crt": base64(ca), "ca.key": base64(scene.token("key of the authority", 64)) })),
    ...secret("admin-kubeconfig", (reached) => ({
      "super-admin.conf": kubeconfig(reached.outside, reached),
      "super-admin.svc": kubeconfig(reached.within, reached),
    })),
  ];
}

function around(object: ControlPlane, scene: Scene, at: Reached | undefined): readonly KubeObject[] {
  const { name } = object.metadata;
  const { spec } = object;
  const labels = selector(name);
  const port = (portName: string, number: number) => ({ name: portName, port: number, protocol: "TCP" as const });
  const extra = spec.network?.additionalServicePorts ?? [];
  const host = spec.network?.ingress?.hostname.replace(/:[0-9]+$/, "");
  const className = spec.network?.ingress?.className ?? "";
  return [
    Service(name, {
      labels,
      spec: {
        selector: labels,
        ports: [
          port("kube-apiserver", 6443),
          port("konnectivity-server", 8132),
          ...extra.map((one) => port(one.name, one.port)),
        ],
      },
    }),
    ...(host === undefined
      ? []
      : [
          Ingress(name, {
            labels,
            spec: {
              ...(className === "" ? {} : { ingressClassName: className }),
              rules: [
                {
                  host,
                  http: {
                    paths: [{ path: "/", pathType: "Prefix", backend: { service: { name, port: { number: 6443 } } } }],
                  },
                },
              ],
            },
          }),
        ]),
    ...secrets(object, scene, at),
  ];
}

const controlPlane: Player<ControlPlane> = {
  kind: KamajiControlPlane,
  makes: [Deployment, Service, Ingress, Secret],
  reads: [DataStore, Secret],
  hasApiServer: true,
  play(object, scene) {
    const { spec } = object;
    const hasStore = scene.find(DataStore, spec.dataStoreName ?? "")?.status?.ready === true;
    const starts = hasStore && scene.behaviour !== "refuses";
    const live = scene.children(Deployment)[0]?.status;
    const [readyReplicas, replicas] = [live?.readyReplicas ?? 0, spec.replicas ?? 2];
    const at = starts ? reached(object, scene) : undefined;
    const answers = scene.behaviour !== "neverReady";
    const ready = answers && at !== undefined && replicas > 0 && readyReplicas === replicas;
    return {
      ...(starts ? { apiServer: { configuration: configuration(object, scene), isStopped: !answers } } : {}),
      children: starts ? [deployment(object), ...around(object, scene, at)] : [],
      status: {
        ready,
        initialized: ready || object.status?.initialized === true,
        externalManagedControlPlane: true,
        replicas,
        readyReplicas,
        updatedReplicas: live?.updatedReplicas ?? 0,
        unavailableReplicas: Math.max(0, replicas - readyReplicas),
        selector: Object.entries(selector(object.metadata.name))
          .map(([key, value]) => `${key}=${value}`)
          .join(","),
        version: spec.version,
        ...(starts ? {} : { failureMessage: hasStore ? "refused on request" : "there is no such DataStore" }),
      },
    };
  },
};

export const kamaji = [player(dataStore), player(controlPlane)];
