/**
 * Kinds that migrations read and write as untyped objects, since they are of earlier versions of their operators. Versions are
 * those asked for first: `Cluster` takes whichever is served.
 */
import { defineKind } from "../../kube/define-kind.ts";
import type { UnknownObject } from "../../kube/object.ts";

const kind = (group: string, version: string, name: string, plural: string) =>
  defineKind<UnknownObject>({ group, version, kind: name, plural, namespaced: true });

/** The group of all applications. */
export const APPLICATIONS = "apps.cozystack.io";

export const Kubernetes = kind(APPLICATIONS, "v1alpha1", "Kubernetes", "kuberneteses");
export const HelmRelease = kind("helm.toolkit.fluxcd.io", "v2", "HelmRelease", "helmreleases");
export const PostgresCluster = kind("postgresql.cnpg.io", "v1", "Cluster", "clusters");
export const DataVolume = kind("cdi.kubevirt.io", "v1beta1", "DataVolume", "datavolumes");
export const KubeadmConfigTemplate = kind(
  "bootstrap.cluster.x-k8s.io",
  "v1beta1",
  "KubeadmConfigTemplate",
  "kubeadmconfigtemplates",
);
export const KubeadmConfig = kind("bootstrap.cluster.x-k8s.io", "v1beta1", "KubeadmConfig", "kubeadmconfigs");
export const KeeperInstallation = kind(
  "clickhouse-keeper.altinity.com",
  "v1",
  "ClickHouseKeeperInstallation",
  "clickhousekeeperinstallations",
);
export const LegacyEtcdCluster = kind("etcd.aenix.io", "v1alpha1", "EtcdCluster", "etcdclusters");
export const VMCluster = kind("operator.victoriametrics.com", "v1beta1", "VMCluster", "vmclusters");
export const VLCluster = kind("operator.victoriametrics.com", "v1", "VLCluster", "vlclusters");
export const RedisFailover = kind("databases.spotahome.com", "v1", "RedisFailover", "redisfailovers");
