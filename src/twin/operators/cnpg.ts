/**
 * Plays CloudNativePG: instances with their volumes, the three Services, the Secrets, and the cluster's status.
 */
import { PersistentVolumeClaim, Pod, Secret, Service } from "../../contracts/core.ts";
import { Cluster } from "../../contracts/postgresql-cnpg-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { base64 } from "../../kube/secret-text.ts";
import { type Player, player, type Scene } from "../player.ts";
import { container, isReady, podSpec, upTo } from "./parts.ts";

type ClusterObject = ReturnType<typeof Cluster>;

function instances(cluster: ClusterObject): KubeObject[] {
  const { name } = cluster.metadata;
  const { spec } = cluster;
  return upTo(spec.instances).flatMap((index) => {
    const instance = `${name}-${index + 1}`;
    const role = index === 0 ? "primary" : "replica";
    const labels = {
      ...spec.inheritedMetadata?.labels,
      "cnpg.io/cluster": name,
      "cnpg.io/instanceName": instance,
      "cnpg.io/podRole": "instance",
    };
    return [
      PersistentVolumeClaim(instance, {
        labels: { ...labels, "cnpg.io/pvcRole": "PG_DATA" },
        spec: {
          accessModes: ["ReadWriteOnce"],
          resources: { requests: { storage: spec.storage?.size ?? "1Gi" } },
          ...(spec.storage?.storageClass === undefined ? {} : { storageClassName: spec.storage.storageClass }),
        },
      }),
      Pod(instance, {
        labels: { ...labels, role, "cnpg.io/instanceRole": role },
        spec: podSpec([container("postgres", spec.imageName, resourcesOf(spec.resources))], {
          volumes: [{ name: "pgdata", persistentVolumeClaim: { claimName: instance } }],
        }),
      }),
    ];
  });
}

function resourcesOf(resources: ClusterObject["spec"]["resources"]) {
  return resources === undefined ? {} : { resources };
}

function services(name: string): KubeObject[] {
  const roles: readonly (readonly [string, Record<string, string>])[] = [
    ["rw", { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "primary" }],
    ["ro", { "cnpg.io/cluster": name, "cnpg.io/instanceRole": "replica" }],
    ["r", { "cnpg.io/cluster": name, "cnpg.io/podRole": "instance" }],
  ];
  return roles.map(([suffix, selector]) =>
    Service(`${name}-${suffix}`, {
      labels: { "cnpg.io/cluster": name },
      spec: {
        type: "ClusterIP",
        selector,
        ports: [{ name: "postgres", port: 5432, targetPort: 5432, protocol: "TCP" }],
      },
    }),
  );
}

function secrets(cluster: ClusterObject, scene: Scene): KubeObject[] {
  const { name } = cluster.metadata;
  const labels = { "cnpg.io/cluster": name };
  const login = (username: string) => ({
    username: base64(username),
    password: base64(scene.token(`password of ${username}`, 32)),
  });
  const certificate = base64(scene.certificate);
  return [
    Secret(`${name}-ca`, {
      labels,
      type: "Opaque",
      data: { "ca.crt": certificate, "ca.key": base64(scene.token("ca key", 64)) },
    }),
    Secret(`${name}-server`, {
      labels,
      type: "kubernetes.io/tls",
      data: { "tls.crt": certificate, "tls.key": base64(scene.token("server key", 64)) },
    }),
    ...(cluster.spec.enableSuperuserAccess === true
      ? [Secret(`${name}-superuser`, { labels, type: "kubernetes.io/basic-auth", data: login("postgres") })]
      : []),
    Secret(`${name}-app`, { labels, type: "kubernetes.io/basic-auth", data: login("app") }),
  ];
}

function status(cluster: ClusterObject, scene: Scene): object {
  const { name } = cluster.metadata;
  const wanted = cluster.spec.instances;
  const ready = scene.children(Pod).filter(isReady);
  const whole = ready.length >= wanted && scene.behaviour === "normal";
  const failed = scene.behaviour === "refuses";
  const phase = failed
    ? "Unable to create required cluster objects"
    : whole
      ? "Cluster in healthy state"
      : "Setting up primary";
  return {
    phase,
    instances: scene.children(Pod).length,
    readyInstances: ready.length,
    instanceNames: upTo(wanted).map((index) => `${name}-${index + 1}`),
    currentPrimary: `${name}-1`,
    targetPrimary: `${name}-1`,
    writeService: `${name}-rw`,
    readService: `${name}-r`,
    image: cluster.spec.imageName ?? "",
    conditions: [
      {
        type: "Ready",
        status: whole ? "True" : "False",
        reason: whole ? "ClusterIsReady" : "ClusterIsNotReady",
        message: whole ? "Cluster is Ready" : phase,
        lastTransitionTime:
          cluster.status?.conditions?.find((one) => one.status === (whole ? "True" : "False"))?.lastTransitionTime ??
          scene.now(),
      },
    ],
  };
}

const cluster: Player<ClusterObject> = {
  kind: Cluster,
  makes: [Pod, PersistentVolumeClaim, Service, Secret],
  play(object, scene) {
    const children =
      scene.behaviour === "refuses"
        ? []
        : [...secrets(object, scene), ...services(object.metadata.name), ...instances(object)];
    return { children, status: status(object, scene) };
  },
};

export const cnpg = [player(cluster)];
