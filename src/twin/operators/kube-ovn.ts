/**
 * Plays Kube-OVN: a VPC stands by, and its subnets have addresses, until the subnets are gone.
 */
import { Subnet, Vpc } from "../../contracts/kubeovn-io.ts";
import { type Player, player } from "../player.ts";
import { conditionOf } from "./parts.ts";

const finalizer = "kubeovn.io/kube-ovn-controller";

const vpc: Player<ReturnType<typeof Vpc>> = {
  kind: Vpc,
  makes: [],
  finalizer,
  play: (object, scene) => ({
    children: [],
    status: {
      standby: scene.behaviour === "normal",
      vpcPeerings: object.spec.vpcPeerings?.map((one) => one.remoteVpc),
    },
  }),
};

/** Addresses that machines can have: not those of the network, its gateway and broadcasts. */
function free(cidr: string): number {
  return Math.max(0, 2 ** (32 - Number(cidr.split("/")[1])) - 3);
}

const subnet: Player<ReturnType<typeof Subnet>> = {
  kind: Subnet,
  makes: [],
  reads: [Vpc],
  finalizer,
  play(object, scene) {
    const { cidrBlock = "", vpc: router = "" } = object.spec;
    const failure =
      cidrBlock === ""
        ? { reason: "ValidateLogicalSwitchFailed", message: "no cidrBlock is given" }
        : scene.find(Vpc, router)?.status?.standby !== true
          ? { reason: "SetLogicalRouterFailed", message: `vpc ${router} is not ready` }
          : undefined;
    const ready = failure === undefined && scene.behaviour === "normal";
    const says = failure ?? { reason: ready ? "ResetLogicalSwitchAclSuccess" : "Init" };
    return {
      children: [],
      status: {
        conditions: [conditionOf("Ready", ready, says, object.status?.conditions, scene)],
        ...(ready ? { v4availableIPs: free(cidrBlock) } : {}),
      },
    };
  },
};

export const kubeOvn = [player(vpc), player(subnet)];
