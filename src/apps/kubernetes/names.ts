/** Names that derive from a cluster's, and what most of its objects say of themselves. */

import { chartLabels } from "../../sdk/chart-labels.ts";
import type { Input } from "./spec.ts";

/** What its name gets the most of, in the value of a label: 63 characters. */
const longestSuffix = "-cluster-autoscaler";
export const autoscalerName = (release: string): string => `${release}${longestSuffix}`;
export const longestRelease = 63 - longestSuffix.length;

type Named = Pick<Input, "release" | "context">;

/** Labels of what the chart called its own. */
export const labelsOf = ({ release, context }: Named) =>
  chartLabels({ chart: "kubernetes", appVersion: "1.32.6" }, release, context);

/** Metadata of these objects. */
export const marked = (input: Named & Pick<Input, "namespace">) => ({
  namespace: input.namespace,
  labels: labelsOf(input),
});

/** What a Service or Ingress of the cluster's says to be shown to the tenant. */
export const tenantLabels = ({ name }: Pick<Input, "name">) => ({
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Kubernetes",
  "apps.cozystack.io/application.name": name,
  "internal.cozystack.io/tenantresource": "true",
});

/** Secret in which Kamaji leaves how an administrator reaches the cluster. */
export const kubeconfigSecret = (release: string): string => `${release}-admin-kubeconfig`;
/** Its keys, with the address within this cluster and with that from outside. */
export const kubeconfigKey = "super-admin.svc";
export const externalKubeconfigKey = "super-admin.conf";
export const kubeconfigFolder = "/etc/kubernetes/kubeconfig";
export const kubeconfigFile = `${kubeconfigFolder}/${kubeconfigKey}`;

/** Host by which the API server is reached from outside. */
export const externalHost = ({ release, spec, context }: Pick<Input, "release" | "spec" | "context">): string =>
  spec.host === "" ? `${release}.${context.namespace.host}` : spec.host;

/** Where control planes of the tenant keep their objects; empty: nowhere yet. */
export const dataStore = ({ context }: Pick<Input, "context">): string => context.namespace.etcd;

/** Key of an AuthenticationConfiguration in its Secret, and its file. */
export const configurationKey = "config.yaml";
