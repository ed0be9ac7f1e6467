/**
 * Super-admins write KubeVirt's virtual machines themselves, and KubeVirt and CDI read for them whatever a machine names: any
 * Secret, ConfigMap or account of the namespace, files of the host, volumes of other namespaces. A machine's pod also takes over
 * all annotations of its template, and networks, addresses and containers beside it are asked for by annotations. Tenants name
 * none of these; what a machine names already (VMInstance renders such names) stays, so that it can be changed otherwise.
 */
import { celList, celText, policy } from "./policy.ts";
import { byTenants } from "./tenant-callers.ts";

const specOf = (object: string): string => `${object}.?spec.?template.?spec`;

const cloudInit = (field: string): string =>
  `(has(v.${field}) && (has(v.${field}.secretRef) || has(v.${field}.networkDataSecretRef)))`;

const readers = ["secret", "configMap", "serviceAccount", "sysprep", "hostDisk", "downwardMetrics"]
  .map((source) => `has(v.${source})`)
  .join(" || ");

const volumes = (object: string): string =>
  `${specOf(object)}.?volumes.orValue([]).filter(v, ${readers} || ${cloudInit("cloudInitNoCloud")} || ${cloudInit("cloudInitConfigDrive")})`;

const credentials = (object: string): string => `${specOf(object)}.?accessCredentials.orValue([])`;

const networks = (object: string): string =>
  `${specOf(object)}.?networks.orValue([]).filter(n, n.?multus.?networkName.orValue('').contains('/') && !n.multus.networkName.startsWith(request.namespace + '/'))`;

/** Namespaces that a disk may be copied from: the machine's own, and the golden images that everybody may read. */
const own = `(['', request.namespace] + ${celList(["cozy-public"])})`;

const sources = ["http", "s3", "gcs", "registry", "imageio", "vddk"];

const templates = (object: string): string => {
  const foreign = ["pvc", "snapshot"].map((source) => `!(t.?spec.?source.?${source}.?namespace.orValue('') in ${own})`);
  const secrets = sources.map((source) => `has(t.spec.source.${source}) && ${secretOf(source)}`);
  const anySecret = `(has(t.spec) && has(t.spec.source) && (${secrets.join(" || ")}))`;
  return `${object}.?spec.?dataVolumeTemplates.orValue([]).filter(t, ${foreign.join(" || ")} || !(t.?spec.?sourceRef.?namespace.orValue('') in ${own}) || ${anySecret})`;
};

function secretOf(source: string): string {
  return ["secretRef", "certConfigMap", "secretExtraHeaders"]
    .map((field) => `has(t.spec.source.${source}.${field})`)
    .join(" || ")
    .replace(/^(.*)$/, "($1)");
}

/** What KubeVirt reads itself or nobody does. All others are for whoever runs on the machine below: there is no list of them. */
const harmless = "^([^/]*|vm[.]kubevirt[.]io/.*|kubevirt[.]io/allow-pod-bridge-network-live-migration)$";

const annotations = (object: string): string => `${object}.?spec.?template.?metadata.?annotations.orValue({})`;

/** As texts that compare. */
const foreignAnnotations = (object: string): string =>
  `${annotations(object)}.filter(k, !k.matches(${celText(harmless)})).map(k, k + '=' + string(${annotations(object)}[k]))`;

/** Classes of pods that the cluster itself runs on: these push everybody else's from a machine. */
const priorities = (object: string): string =>
  `[${specOf(object)}.?priorityClassName.orValue('')].filter(c, c.startsWith('system-'))`;

const kept = (list: (object: string) => string): string =>
  `(${list("object")}).all(x, oldObject != null && x in (${list("oldObject")}))`;

export function tenantMachines() {
  return policy("cozystack-tenant-machines", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: ["kubevirt.io"],
          apiVersions: ["*"],
          operations: ["CREATE", "UPDATE"],
          resources: ["virtualmachines"],
        },
      ],
    },
    matchConditions: [byTenants],
    validations: [
      {
        expression: kept(volumes),
        message:
          "spec.template.spec.volumes: a machine may not read Secrets, ConfigMaps, accounts or files of the host; write cloud-init data into the machine, or use a VMInstance",
        reason: "Forbidden",
      },
      {
        expression: kept(credentials),
        message: "spec.template.spec.accessCredentials: a machine may not read Secrets; use cloud-init",
        reason: "Forbidden",
      },
      {
        expression: kept(networks),
        message: "spec.template.spec.networks: networks of other namespaces cannot be joined",
        reason: "Forbidden",
      },
      {
        expression: kept(foreignAnnotations),
        message:
          "spec.template.metadata.annotations: they reach the machine's pod, where they choose networks, addresses and containers; use annotations of the VirtualMachine itself, or spec.template.spec",
        reason: "Forbidden",
      },
      {
        expression: kept(priorities),
        message: "spec.template.spec.priorityClassName: classes that begin with system- belong to the cluster",
        reason: "Forbidden",
      },
      {
        expression: kept(templates),
        message:
          "spec.dataVolumeTemplates: disks are copied from this namespace or from cozy-public, and without Secrets; use a VMDisk",
        reason: "Forbidden",
      },
    ],
  });
}
