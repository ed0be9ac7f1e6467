/** From a pool's specification to its machines. */
import { Secret } from "../../contracts/core.ts";
import type { ObjectRef } from "../../kube/object.ts";
import type { Exposure, Monitor, RenderInput } from "../../sdk/app.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { keptTemplates } from "../../sdk/node-pool/kept-templates.ts";
import { clusterAccess, clusterNeeds, type PoolsLive, poolNeeds } from "../../sdk/node-pool/live.ts";
import { templateName } from "../../sdk/node-pool/machine-template.ts";
import { poolMonitor } from "../../sdk/node-pool/machines.ts";
import { type NodePool, poolName } from "../../sdk/node-pool/pool.ts";
import { poolConfiguration, poolMachines } from "../../sdk/node-pool/render.ts";
import { secretsOf, talosSecretName } from "../../sdk/node-pool/talos-secrets.ts";
import type { Input } from "./spec.ts";

/** Name of the cluster for Cluster API, which is that of its release. */
const clusterOf = ({ spec }: Input): string => `kubernetes-${spec.cluster}`;

/** The pool's own name: what is left of the application's without the cluster's. */
const ownName = ({ name, spec }: Input): string => name.slice(spec.cluster.length + 1);

function poolOf(input: Input): NodePool {
  const { namespace, spec, context } = input;
  const { podCpuLimit, podCpuRequest } = spec;
  return {
    ...spec,
    cluster: clusterOf(input),
    application: spec.cluster,
    name: ownName(input),
    namespace,
    field: "spec",
    context,
    diskSize: String(spec.diskSize),
    ...(podCpuLimit === undefined ? {} : { podCpuLimit }),
    ...(podCpuRequest === undefined ? {} : { podCpuRequest }),
  };
}

export function needs(input: Input) {
  const cluster = clusterOf(input);
  return {
    ...clusterNeeds(cluster),
    ...poolNeeds([poolOf(input)]),
    secrets: optional(Secret, talosSecretName(cluster)),
  };
}

function checkNames(input: Input): void {
  const { name, spec } = input;
  if (spec.cluster === "")
    refuse({
      code: "InvalidValue",
      field: "spec.cluster",
      message: "names no cluster",
      remedy: "Set cluster to the name of a Kubernetes in this namespace.",
    });
  if (!name.startsWith(`${spec.cluster}-`) || ownName(input) === "")
    refuse({
      code: "InvalidName",
      field: "metadata.name",
      message: `a pool of the cluster ${spec.cluster} is named ${spec.cluster}-POOL, not ${name}`,
      remedy: `Name it ${spec.cluster}-${name}, or correct spec.cluster.`,
    });
}

/** A group of the cluster's own, or another pool's, has machines of this name. */
function checkForeign(input: Input, deployment: PoolsLive["deployments"][string]): void {
  const { annotations = {}, labels = {} } = deployment?.metadata ?? {};
  const release = annotations["meta.helm.sh/release-name"] ?? "";
  const kind = labels["apps.cozystack.io/application.kind"];
  const ofOther = release !== "" ? release !== input.release : kind !== undefined && kind !== "KubernetesNodes";
  if (!ofOther || deployment === undefined) return;
  refuse({
    code: "InvalidName",
    field: "metadata.name",
    message: `the machines ${deployment.metadata.name} belong to ${release === "" ? "the cluster itself" : release}`,
    remedy: `Remove the group ${ownName(input)} from the nodeGroups of ${input.spec.cluster}, or choose another name.`,
  });
}

type Known = RenderInput<Input["spec"], ReturnType<typeof needs>>;

export function render(input: Known): readonly Rendered[] {
  checkNames(input);
  const pool = poolOf(input);
  const { needs: known, release, name } = input;
  checkForeign(input, known.deployments[pool.name]);
  const access = clusterAccess(known, secretsOf(known.secrets));
  const owner = { kind: "KubernetesNodes", name, release, cluster: pool.cluster };
  const former = keptTemplates(owner, known, new Set([templateName(pool)]));
  return [...poolMachines(pool, known), ...poolConfiguration(pool, known, access), ...former];
}

const nameOf = (input: Input) => ({
  cluster: clusterOf(input),
  name: ownName(input),
  minReplicas: input.spec.minReplicas,
});

export const monitors = (input: Input): readonly Monitor[] => [poolMonitor(nameOf(input))];

export const expose = (input: Input): Exposure => ({ monitors: [poolName(nameOf(input))] });

/** The cluster goes only after its pools. */
export const references = ({ spec }: Input): readonly ObjectRef[] =>
  spec.cluster === "" ? [] : [{ group: "apps.cozystack.io", kind: "Kubernetes", name: spec.cluster }];
