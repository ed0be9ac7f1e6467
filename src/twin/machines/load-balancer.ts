/**
 * Plays a load balancer: an address for each Service that asks for one, out of a range set aside for tests.
 */
import { Service, type ServiceObject } from "../../contracts/core.ts";
import { type Player, player } from "../player.ts";

const services: Player<ServiceObject> = {
  kind: Service,
  makes: [],
  play(service, scene) {
    if (service.spec.type !== "LoadBalancer" || service.metadata.deletionTimestamp !== undefined)
      return { children: [] };
    if ((service.status?.loadBalancer?.ingress ?? []).length > 0 || scene.behaviour !== "normal")
      return { children: [] };
    const [a = 0, b = 0, c = 0] = Buffer.from(scene.token("address", 6), "hex");
    return {
      children: [],
      status: { loadBalancer: { ingress: [{ ip: `198.${18 + (a % 2)}.${b}.${c}`, ipMode: "VIP" }] } },
    };
  },
};

export const loadBalancer = [player(services)];
