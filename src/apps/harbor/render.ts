/** From a Harbor specification to its objects. */
import { PersistentVolumeClaim, Secret } from "../../contracts/core.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { BucketClaim } from "../../contracts/objectstorage-k8s-io.ts";
import { acmeLeftovers } from "../../sdk/acme-leftovers.ts";
import type { Exposure, Leftover, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { gatewayRoute } from "../../sdk/gateway-route.ts";
import { innerRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, generatedSecret } from "../../sdk/needs.ts";
import { requireStorage } from "../../sdk/object-storage.ts";
import { issuerAnnotations, isWildcard } from "../../sdk/web-certificate.ts";
import { bucketName, certificateName, credentialsSecret, hostOf, ingressName } from "./names.ts";
import { release as chartRelease, liveNeeds } from "./release.ts";
import type { Input, Spec } from "./spec.ts";
import { bucket, database, redis, redisLabels, storageNeeds } from "./storage.ts";

export function needs(input: Input) {
  return {
    ...storageNeeds(input),
    ...liveNeeds(input),
    passwords: generatedSecret(
      credentialsSecret(input.release),
      { "admin-password": alphanumeric(16), "redis-password": alphanumeric(32) },
      // Harbor reads the administrator's password once, when it makes its database.
      { rotate: ["redis-password"] },
    ),
  };
}

function ingress(input: Input): Rendered {
  const { release, context } = input;
  const host = hostOf(input);
  const nginx = {
    "proxy-body-size": "0",
    "proxy-read-timeout": "900",
    "proxy-send-timeout": "900",
    "ssl-redirect": "true",
    "backend-protocol": "HTTP",
  };
  const settings = Object.entries(nginx).map(([key, value]) => [`nginx.ingress.kubernetes.io/${key}`, value] as const);
  const backend = { service: { name: release, port: { number: 80 } } };
  return Ingress(ingressName(release), {
    annotations: { ...Object.fromEntries(settings), ...issuerAnnotations(context) },
    spec: {
      ingressClassName: context.namespace.ingress,
      tls: [{ hosts: [host], ...(isWildcard(context) ? {} : { secretName: certificateName(release) }) }],
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
    },
  });
}

function entrance(input: Input): Rendered {
  const { release, context } = input;
  const { gateway } = context.namespace;
  if (gateway === "") return ingress(input);
  return gatewayRoute(release, { host: hostOf(input), service: { name: release, port: 80 }, gateway });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, needs: known } = input;
  requireStorage(input);
  const { "admin-password": admin = "", "redis-password": password = "" } = known.passwords.values;
  return [
    Secret(credentialsSecret(release), {
      labels: { "apps.cozystack.io/user-secret": "true" },
      stringData: { "admin-password": admin, "redis-password": password, url: `https://${hostOf(input)}` },
    }),
    ...bucket(input, known.bucketKeys, known.bucketShown),
    database(input, known.database),
    ...redis(input, password),
    ...chartRelease(input, known),
    entrance(input),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  const of = (component: string, preset?: string): Monitor => ({
    name: `${release}-${component}`,
    type: component,
    replicas: 1,
    minReplicas: 1,
    selector: { release: innerRelease(release), component },
    ...(preset === undefined ? {} : { preset }),
  });
  return [of("core", spec.core.resourcesPreset), of("registry", spec.registry.resourcesPreset), of("portal")];
}

export function expose(input: Input): Exposure {
  const { release } = input;
  return {
    services: [release],
    secrets: [credentialsSecret(release)],
    ingresses: [ingressName(release)],
    monitors: monitors(input).map(({ name }) => name),
    level: "super-admin",
    labelled: { secrets: { "apps.cozystack.io/user-secret": "true" } },
  };
}

/** Volumes that the chart and the operators leave, the bucket with the images, and the passwords. */
export function claims({ release }: Input): readonly StorageClaim[] {
  const { group, kind } = PersistentVolumeClaim;
  return [
    // By this label alone: the scanner's claim has no other.
    { group, kind, labels: { release: innerRelease(release) } },
    { group, kind, labels: redisLabels(release) },
    { group: BucketClaim.group, kind: BucketClaim.kind, names: [bucketName(release)] },
    { group: Secret.group, kind: Secret.kind, names: [credentialsSecret(release)] },
  ];
}

export function leftovers(input: Input): readonly Leftover[] {
  return acmeLeftovers(hostOf(input), certificateName(input.release));
}
