/** From an ExternalDNS specification to its objects. */
import { Secret } from "../../contracts/core.ts";
import type { Exposure, RenderInput } from "../../sdk/app.ts";
import { refuse } from "../../sdk/errors.ts";
import { contentHash } from "../../sdk/hash.ts";
import { helmRelease, innerRelease } from "../../sdk/inner-release.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { resources } from "../../sdk/resources.ts";
import { type Access, accessOf, secretsOf } from "./provider.ts";
import type { Input, Spec } from "./spec.ts";

const chart = "cozystack-external-dns-application-default-external-dns-system";

const credentialsSecret = (release: string): string => `${release}-credentials`;

/** Key in the Secret of a random text, by which changes of the others can be shown without giving means to guess them. */
const fingerprintKey = "fingerprint-key";

const reached = ({ spec }: Input): Access => (spec.provider === undefined ? {} : accessOf(spec.provider, spec));

export function needs(input: Input) {
  const secret = credentialsSecret(input.release);
  const keeps = Object.keys(secretsOf(reached(input))).length > 0;
  return { credentials: keeps ? generatedSecret(secret, { [fingerprintKey]: alphanumeric(32) }) : undefined };
}

function variables(release: string, { env = {}, plain = {} }: Access): readonly object[] {
  const name = credentialsSecret(release);
  return [
    ...Object.keys(env).map((key) => ({ name: key, valueFrom: { secretKeyRef: { name, key } } })),
    ...Object.entries(plain).map(([key, value]) => ({ name: key, value })),
  ];
}

/** The file of the provider, where it has one. */
function mounted(release: string, { file }: Access): object {
  if (file === undefined) return {};
  const { directory, name } = file;
  const items = [{ key: name, path: name }];
  return {
    extraVolumes: [{ name: "credentials", secret: { secretName: credentialsSecret(release), items } }],
    extraVolumeMounts: [{ name: "credentials", mountPath: directory, readOnly: true }],
  };
}

const unlessEmpty = (key: string, list: readonly unknown[]): object => (list.length === 0 ? {} : { [key]: list });

function values(input: Input, provider: NonNullable<Spec["provider"]>, fingerprint: string | undefined): object {
  const { release, namespace, spec, context } = input;
  const access = reached(input);
  return {
    namespaced: true,
    txtOwnerId: namespace,
    policy: spec.policy,
    ...(spec.annotationPrefix === "" ? {} : { annotationPrefix: spec.annotationPrefix }),
    provider: { name: provider },
    sources: ["ingress", "service", ...(spec.gatewayAPI ? ["gateway-httproute", "gateway-tlsroute"] : [])],
    ...unlessEmpty("domainFilters", spec.domainFilters),
    ...unlessEmpty("extraArgs", [...spec.extraArgs, ...(access.args ?? [])]),
    ...unlessEmpty("env", variables(release, access)),
    ...mounted(release, access),
    ...access.block,
    // The program reads its credentials when it starts.
    ...(fingerprint === undefined ? {} : { podAnnotations: { "cozystack.io/credentials": fingerprint } }),
    resources: resources(spec, context),
  };
}

function credentials(input: Input, known: GeneratedSecret | undefined) {
  if (known === undefined) return { objects: [], fingerprint: undefined };
  const key = known.values[fingerprintKey] ?? "";
  const secrets = secretsOf(reached(input));
  const secret = Secret(known.name, { type: "Opaque", stringData: { ...secrets, [fingerprintKey]: key } });
  return { objects: [secret], fingerprint: contentHash(key, JSON.stringify(secrets), 16) };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec } = input;
  const provider =
    spec.provider ??
    refuse({
      code: "InvalidValue",
      field: "spec.provider",
      message: "is not set: nobody serves the records",
      remedy: "Set it to the provider that serves your domains.",
    });
  const { objects, fingerprint } = credentials(input, input.needs.credentials);
  const inner = helmRelease(release, {
    chart,
    values: { "external-dns": values(input, provider, fingerprint) },
    labels: { "app.kubernetes.io/instance": innerRelease(release), "app.kubernetes.io/managed-by": "Helm" },
    tenantValues: false,
  });
  return [...objects, inner];
}

export function expose({ release }: Input): Exposure {
  const rule = {
    apiGroups: ["helm.toolkit.fluxcd.io"],
    resources: ["helmreleases"],
    resourceNames: [release],
    verbs: ["get", "list", "watch"],
  };
  return { rules: [rule], level: "admin" };
}
