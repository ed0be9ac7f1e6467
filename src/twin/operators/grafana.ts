/** Plays the Grafana operator: Grafana's pods with their Service and Ingress; sources and dashboards are taken up. */
import { createHash } from "node:crypto";
import { Deployment } from "../../contracts/apps.ts";
import { Service } from "../../contracts/core.ts";
import { Grafana, GrafanaDashboard, GrafanaDatasource } from "../../contracts/grafana-integreatly-org.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import { type AnyPlayer, player } from "../player.ts";
import { container, podSpec } from "./parts.ts";

const labels = { app: "grafana" };

const server = player<ReturnType<typeof Grafana>>({
  kind: Grafana,
  makes: [Deployment, Service, Ingress],
  play(object, scene) {
    if (scene.behaviour === "refuses") {
      return {
        children: [],
        status: { stage: "deployment", stageStatus: "failed", lastMessage: "refused on request" },
      };
    }
    const { name, namespace = "" } = object.metadata;
    const replicas = valueAt(object.spec, "deployment", "spec", "replicas");
    const wanted = typeof replicas === "number" ? replicas : 1;
    const [deployment] = scene.children(Deployment);
    const whole = (deployment?.status?.readyReplicas ?? 0) >= wanted && scene.behaviour === "normal";
    const ingress = object.spec.ingress;
    return {
      children: [
        Deployment(`${name}-deployment`, {
          spec: {
            replicas: wanted,
            selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: podSpec([container("grafana", undefined)]) },
          },
        }),
        Service(`${name}-service`, {
          spec: { selector: labels, ports: [{ name: "grafana", port: 3000, protocol: "TCP" }] },
        }),
        ...(ingress === undefined
          ? []
          : [
              Ingress(`${name}-ingress`, {
                ...(ingress.metadata?.annotations === undefined ? {} : { annotations: ingress.metadata.annotations }),
                spec: { ...ingress.spec },
              }),
            ]),
      ],
      status: whole
        ? { stage: "complete", stageStatus: "success", lastMessage: "" }
        : { stage: "deployment", stageStatus: "in progress", lastMessage: `waiting in ${namespace}` },
    };
  },
});

/** What Grafana is given: the operator notes a digest of what it handed over. */
function content<T extends KubeObject & { readonly spec: object }>(kind: Kind<T>): AnyPlayer {
  return player<T>({
    kind,
    makes: [],
    play: (object) => ({
      children: [],
      status: { hash: createHash("sha256").update(JSON.stringify(object.spec)).digest("hex") },
    }),
  });
}

export const grafana = [server, content(GrafanaDatasource), content(GrafanaDashboard)];
