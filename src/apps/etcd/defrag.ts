/** What gives back space: a member with much freed space, or little left, is defragmented, one after the other. */
import { CronJob } from "../../contracts/batch.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { cluster, endpoint, certificates as names, secretOf } from "./names.ts";
import type { Input } from "./spec.ts";

const image = "ghcr.io/ahrtr/etcd-defrag:v0.13.0";
const mountPath = "/etc/etcd/pki/client/cert";
const volume = "client-certificate";

/** In the tool's own language: nearly full, or more than 200 MiB to gain. */
const when = "dbQuotaUsage > 0.8 || dbSize - dbSizeInUse > 200*1024*1024";

export function defragmentation({ namespace }: Input): Rendered {
  const name = `${cluster}-defrag`;
  const container = {
    name,
    image,
    args: [
      `--endpoints=https://${endpoint(namespace)}`,
      `--cacert=${mountPath}/ca.crt`,
      `--cert=${mountPath}/tls.crt`,
      `--key=${mountPath}/tls.key`,
      "--cluster",
      "--defrag-rule",
      when,
    ],
    resources: { requests: { cpu: "200m", memory: "256Mi" }, limits: { cpu: "500m", memory: "512Mi" } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    },
    volumeMounts: [{ name: volume, mountPath, readOnly: true }],
  };
  const pod = {
    restartPolicy: "OnFailure" as const,
    securityContext: { runAsNonRoot: true, runAsUser: 1001, seccompProfile: { type: "RuntimeDefault" as const } },
    containers: [container],
    volumes: [{ name: volume, secret: { secretName: secretOf(names.client) } }],
  };
  return CronJob(name, {
    spec: {
      schedule: "0 * * * *",
      concurrencyPolicy: "Forbid",
      startingDeadlineSeconds: 300,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: { spec: { activeDeadlineSeconds: 1800, backoffLimit: 2, template: { spec: pod } } },
    },
  });
}
