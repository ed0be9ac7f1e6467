/**
 * All contracts, and the registry that finds a kind by group and name.
 */
import { acmeContracts } from "./acme-cert-manager-io.ts";
import { barmancloudContracts } from "./barmancloud-cnpg-io.ts";
import { cdiContracts } from "./cdi-kubevirt-io.ts";
import { certManagerContracts } from "./cert-manager-io.ts";
import { ciliumContracts } from "./cilium-io.ts";
import { clickhouseContracts } from "./clickhouse-altinity-com.ts";
import { clickhouseKeeperContracts } from "./clickhouse-keeper-altinity-com.ts";
import type { AnyContractKind } from "./contract.ts";
import { cozystackContracts } from "./cozystack-io.ts";
import { redisContracts } from "./databases-spotahome-com.ts";
import { gatewayContracts } from "./gateway-networking-k8s-io.ts";
import { fluxContracts } from "./helm-toolkit-fluxcd-io.ts";
import { instancetypeContracts } from "./instancetype-kubevirt-io.ts";
import { internalContracts } from "./internal-cozystack-io.ts";
import { kubeovnContracts } from "./kubeovn-io.ts";
import { kubevirtContracts } from "./kubevirt-io.ts";
import { objectstorageContracts } from "./objectstorage-k8s-io.ts";
import { victoriametricsContracts } from "./operator-victoriametrics-com.ts";
import { postgresqlContracts } from "./postgresql-cnpg-io.ts";
import { keycloakContracts } from "./v1-edp-epam-com.ts";

/** Kinds of ours that are no applications: the platform installs their CRDs on every cluster. */
export const ownKinds: readonly AnyContractKind[] = [...cozystackContracts, ...internalContracts];

/** Every kind of this room. Those of third parties are served from here only where their operators are played by the twin. */
export const contractKinds: readonly AnyContractKind[] = [
  ...ownKinds,
  ...acmeContracts,
  ...barmancloudContracts,
  ...cdiContracts,
  ...certManagerContracts,
  ...ciliumContracts,
  ...clickhouseContracts,
  ...clickhouseKeeperContracts,
  ...fluxContracts,
  ...gatewayContracts,
  ...instancetypeContracts,
  ...keycloakContracts,
  ...kubeovnContracts,
  ...kubevirtContracts,
  ...objectstorageContracts,
  ...postgresqlContracts,
  ...redisContracts,
  ...victoriametricsContracts,
];
