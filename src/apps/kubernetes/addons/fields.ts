/** What a user says about the software that is installed into the cluster. */
import { Type } from "typebox";
import { foreign } from "../../../sdk/node-pool/fields.ts";
import { flag, group, listOf, oneOf } from "../../../sdk/spec.ts";

const valuesOverride = foreign("Values of the chart that are laid over those given here.");

const always = (description: string) => group({ valuesOverride }, { description });

const enabled = flag({ default: false, description: "Whether it is installed." });

const chosen = (description: string) => group({ enabled, valuesOverride }, { description });

export const addonFields = group(
  {
    certManager: chosen("cert-manager: certificates."),
    cilium: always("Cilium: the network, always installed."),
    gatewayAPI: group({ enabled }, { description: "Definitions of the Gateway API." }),
    ingressNginx: group(
      {
        enabled,
        exposeMethod: oneOf(["Proxied", "LoadBalancer"], {
          default: "Proxied",
          description: "Reached by way of the tenant's own ingress, or by an address of its own.",
        }),
        hosts: listOf(Type.String({ maxLength: 253 }), {
          maxItems: 100,
          description: "Hosts that are handed on to it, where it is Proxied.",
        }),
        valuesOverride,
      },
      { description: "ingress-nginx: HTTP from outside." },
    ),
    gpuOperator: chosen("NVIDIA's operator for graphics processors."),
    hami: chosen("HAMi: graphics processors that pods share. Needs gpuOperator."),
    monitoringAgents: chosen("Agents that send metrics and logs to the tenant's monitoring."),
    verticalPodAutoscaler: always("The autoscaler of pods' resources, installed with monitoringAgents."),
    velero: chosen("Velero: backups of what is in the cluster."),
    coredns: always("CoreDNS: names in the cluster, always installed."),
    ouroboros: chosen("Reaches the cluster's own ingress from within. Needs ingressNginx."),
  },
  { description: "Software in the cluster." },
);
