/** The chart of external-dns: one program with its account and Service. */
import { Deployment } from "../../contracts/apps.ts";
import { Service, ServiceAccount } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { container, podSpec } from "../operators/parts.ts";
import type { Chart } from "./chart.ts";

/** As charts name their objects: at most 63 characters, and the program's name but once. */
function fullName(release: string): string {
  if (release.includes("external-dns")) return release;
  return `${release}-external-dns`.slice(0, 63).replace(/-$/, "");
}

export const externalDns: Chart = (release) => {
  const at = (...path: readonly string[]) => valueAt(release.values, "external-dns", ...path);
  const name = fullName(release.name);
  const labels = { "app.kubernetes.io/name": "external-dns", "app.kubernetes.io/instance": release.name };
  const listed = (key: string): readonly unknown[] => {
    const list = at(key);
    return Array.isArray(list) ? list : [];
  };
  const env = listed("env")
    .filter(isRecord)
    .map(({ name: key, value, valueFrom }) => ({
      name: String(key),
      ...(typeof value === "string" ? { value } : {}),
      ...(isRecord(valueFrom) ? { valueFrom: { secretKeyRef: secretKey(valueFrom["secretKeyRef"]) } } : {}),
    }));
  const args = [
    ...listed("sources").map((source) => `--source=${source}`),
    `--policy=${at("policy")}`,
    "--registry=txt",
    `--txt-owner-id=${at("txtOwnerId")}`,
    `--namespace=${release.namespace}`,
    ...listed("domainFilters").map((domain) => `--domain-filter=${domain}`),
    ...(at("annotationPrefix") === undefined ? [] : [`--annotation-prefix=${at("annotationPrefix")}`]),
    `--provider=${valueAt(at("provider"), "name")}`,
    ...listed("extraArgs").map(String),
  ];
  return [
    ServiceAccount(name, { labels }),
    Service(name, {
      labels,
      spec: { selector: labels, ports: [{ name: "http", port: 7979, protocol: "TCP" as const }] },
    }),
    Deployment(name, {
      labels,
      spec: {
        replicas: 1,
        strategy: { type: "Recreate" },
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: podSpec([
            container("external-dns", "registry.k8s.io/external-dns/external-dns:v0.20.0", { args, env }),
          ]),
        },
      },
    }),
  ];
};

const secretKey = (ref: unknown) => ({ name: String(valueAt(ref, "name")), key: String(valueAt(ref, "key")) });
