/**
 * Plays Cilium's gateways: a Gateway gets a Service with an address, and its listeners are programmed once their certificates
 * are there.
 */
import { Secret, Service } from "../../contracts/core.ts";
import { Gateway } from "../../contracts/gateway-networking-k8s-io.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf } from "./parts.ts";

type GatewayObject = ReturnType<typeof Gateway>;
type Listener = GatewayObject["spec"]["listeners"][number];

function isServed({ tls }: Listener, namespace: string | undefined, scene: Scene): boolean {
  const secrets = tls?.certificateRefs ?? [];
  return secrets.every(({ name }) => scene.find(Secret, name, namespace)?.data?.["tls.crt"] !== undefined);
}

const gateway: Player<GatewayObject> = {
  kind: Gateway,
  makes: [Service],
  reads: [Secret],
  play(object, scene) {
    const { name, namespace, generation = 1 } = object.metadata;
    const refuses = scene.behaviour === "refuses";
    const works = scene.behaviour === "normal";
    const said = (holds: boolean, type: string, before: Parameters<typeof conditionOf>[3]) => {
      const reason = holds ? type : refuses ? "Invalid" : "Pending";
      return { ...conditionOf(type, holds, { reason }, before, scene), observedGeneration: generation };
    };
    const listeners = object.spec.listeners.map((listener) => {
      const before = object.status?.listeners?.find((one) => one.name === listener.name)?.conditions;
      const served = works && isServed(listener, namespace, scene);
      return {
        name: listener.name,
        attachedRoutes: 0,
        supportedKinds: [],
        conditions: [said(!refuses, "Accepted", before), said(served, "Programmed", before)],
      };
    });
    const before = object.status?.conditions;
    const service = Service(`cilium-gateway-${name}`, {
      labels: { "io.cilium.gateway/owning-gateway": name },
      spec: {
        type: "LoadBalancer",
        ports: [
          { name: "port-80", port: 80, protocol: "TCP" },
          { name: "port-443", port: 443, protocol: "TCP" },
        ],
      },
    });
    return {
      children: refuses ? [] : [service],
      status: {
        conditions: [said(!refuses, "Accepted", before), said(works, "Programmed", before)],
        listeners,
      },
    };
  },
};

export const ciliumGateway = [player(gateway)];
