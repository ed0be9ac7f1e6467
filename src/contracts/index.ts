/**
 * All contracts, and the registry that finds a kind by group and name.
 */
import type { AnyKind } from "../kube/object.ts";
import { acmeContracts } from "./acme-cert-manager-io.ts";
import { foundationdbContracts } from "./apps-foundationdb-org.ts";
import { autoscalingContracts } from "./autoscaling-k8s-io.ts";
import { barmancloudContracts } from "./barmancloud-cnpg-io.ts";
import { bootstrapContracts } from "./bootstrap-cluster-x-k8s-io.ts";
import { builtinImpacts, builtinKinds } from "./builtin.ts";
import { cdiContracts } from "./cdi-kubevirt-io.ts";
import { certManagerContracts } from "./cert-manager-io.ts";
import { ciliumContracts } from "./cilium-io.ts";
import { clickhouseContracts } from "./clickhouse-altinity-com.ts";
import { clickhouseKeeperContracts } from "./clickhouse-keeper-altinity-com.ts";
import { clusterContracts } from "./cluster-x-k8s-io.ts";
import type { AnyContractKind } from "./contract.ts";
import { controlPlaneContracts } from "./controlplane-cluster-x-k8s-io.ts";
import { cozystackContracts } from "./cozystack-io.ts";
import { redisContracts } from "./databases-spotahome-com.ts";
import { etcdContracts } from "./etcd-operator-cozystack-io.ts";
import { tenantGatewayContracts } from "./gateway-cozystack-io.ts";
import { gatewayContracts } from "./gateway-networking-k8s-io.ts";
import { grafanaContracts } from "./grafana-integreatly-org.ts";
import { fluxContracts } from "./helm-toolkit-fluxcd-io.ts";
import type { ImpactRules } from "./impact.ts";
import { infrastructureContracts } from "./infrastructure-cluster-x-k8s-io.ts";
import { instancetypeContracts } from "./instancetype-kubevirt-io.ts";
import { internalContracts } from "./internal-cozystack-io.ts";
import { cniContracts } from "./k8s-cni-cncf-io.ts";
import { mariadbContracts } from "./k8s-mariadb-com.ts";
import { strimziContracts } from "./kafka-strimzi-io.ts";
import { kamajiContracts } from "./kamaji-clastix-io.ts";
import { kubeovnContracts } from "./kubeovn-io.ts";
import { kubevirtContracts } from "./kubevirt-io.ts";
import { prometheusContracts } from "./monitoring-coreos-com.ts";
import { objectstorageContracts } from "./objectstorage-k8s-io.ts";
import { opensearchContracts } from "./opensearch-opster-io.ts";
import { victoriametricsContracts } from "./operator-victoriametrics-com.ts";
import { postgresqlContracts } from "./postgresql-cnpg-io.ts";
import { psmdbContracts } from "./psmdb-percona-com.ts";
import { rabbitmqContracts } from "./rabbitmq-com.ts";
import { sdnContracts } from "./sdn-cozystack-io.ts";
import { tinkerbellContracts } from "./tinkerbell-org.ts";
import { keycloakContracts } from "./v1-edp-epam-com.ts";

/** Kinds of ours that are no applications: the platform installs their CRDs on every cluster. */
export const ownKinds: readonly AnyContractKind[] = [
  ...cozystackContracts,
  ...internalContracts,
  ...sdnContracts,
  ...tenantGatewayContracts,
];

/** Every kind of this room. Those of third parties are served from here only where their operators are played by the twin. */
export const contractKinds: readonly AnyContractKind[] = [
  ...ownKinds,
  ...acmeContracts,
  ...autoscalingContracts,
  ...barmancloudContracts,
  ...bootstrapContracts,
  ...cdiContracts,
  ...certManagerContracts,
  ...ciliumContracts,
  ...clickhouseContracts,
  ...clickhouseKeeperContracts,
  ...cniContracts,
  ...etcdContracts,
  ...fluxContracts,
  ...foundationdbContracts,
  ...gatewayContracts,
  ...grafanaContracts,
  ...clusterContracts,
  ...controlPlaneContracts,
  ...infrastructureContracts,
  ...instancetypeContracts,
  ...kamajiContracts,
  ...keycloakContracts,
  ...kubeovnContracts,
  ...kubevirtContracts,
  ...mariadbContracts,
  ...objectstorageContracts,
  ...opensearchContracts,
  ...postgresqlContracts,
  ...prometheusContracts,
  ...psmdbContracts,
  ...rabbitmqContracts,
  ...redisContracts,
  ...strimziContracts,
  ...tinkerbellContracts,
  ...victoriametricsContracts,
];

export { builtinKinds };

interface Entry {
  readonly kind: AnyKind;
  readonly impact: ImpactRules;
}

const inPlace: ImpactRules = { otherwise: "inPlace" };

const entries: ReadonlyMap<string, Entry> = new Map(
  [
    ...builtinKinds.map((kind) => ({ kind, impact: builtinImpacts[`${kind.group}/${kind.kind}`] ?? inPlace })),
    ...contractKinds.map((kind) => ({ kind, impact: kind.contract.impact })),
  ].map((entry) => [`${entry.kind.group}/${entry.kind.kind}`, entry]),
);

/** The kind of that group (`""`: core) and name; undefined when neither Kubernetes nor a contract has it. Applications' kinds are not here. */
export function kindByGroupKind(group: string, kind: string): AnyKind | undefined {
  return entries.get(`${group}/${kind}`)?.kind;
}

/** For a kind nobody declared: as grave as anything that keeps the object. */
const unknownImpact: ImpactRules = { otherwise: "rolls" };

/** How changes of that kind reach what runs. */
export function impactRulesOf(group: string, kind: string): ImpactRules {
  return entries.get(`${group}/${kind}`)?.impact ?? unknownImpact;
}
