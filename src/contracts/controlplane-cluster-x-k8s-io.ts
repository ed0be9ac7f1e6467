/**
 * Kamaji's provider for Cluster API: control planes of tenants' Kubernetes clusters, as pods.
 */
import { Type } from "typebox";
import type { Container } from "../kube/kinds/pod-spec.ts";
import { defineContract } from "./contract.ts";
import {
  conditions,
  int32,
  intOrString,
  oneOf,
  open,
  resourceRequirements,
  some,
  text,
  textMap,
  texts,
} from "./fields.ts";

const group = "controlplane.cluster.x-k8s.io";
const version = "v1alpha1";

/** A volume or a mount of the API server; users write some of them. */
const named = () => Type.Array(open<{ readonly name: string } & Readonly<Record<string, unknown>>>());

const component = { resources: resourceRequirements() };

export const KamajiControlPlane = defineContract({
  group,
  version,
  kind: "KamajiControlPlane",
  plural: "kamajicontrolplanes",
  namespaced: true,
  shortNames: ["ktcp"],
  schema: Type.Object({
    spec: Type.Object({
      version: text(),
      replicas: Type.Optional(int32()),
      dataStoreName: Type.Optional(text()),
      apiServer: Type.Optional(some({ ...component, extraArgs: texts(), extraVolumeMounts: named() })),
      controllerManager: Type.Optional(some(component)),
      scheduler: Type.Optional(some(component)),
      addons: Type.Optional(
        some({
          konnectivity: some({
            agent: some({ version: text() }),
            server: Type.Object({
              port: int32(),
              version: Type.Optional(text()),
              resources: Type.Optional(resourceRequirements()),
            }),
          }),
        }),
      ),
      kubelet: Type.Optional(
        some({
          cgroupfs: oneOf("systemd", "cgroupfs"),
          preferredAddressTypes: Type.Array(
            oneOf("Hostname", "InternalIP", "ExternalIP", "InternalDNS", "ExternalDNS"),
          ),
        }),
      ),
      network: Type.Optional(
        some({
          serviceType: oneOf("ClusterIP", "NodePort", "LoadBalancer"),
          certSANs: texts(),
          ingress: Type.Object({
            hostname: text(),
            className: Type.Optional(text()),
            extraAnnotations: Type.Optional(textMap()),
          }),
          additionalServicePorts: Type.Array(
            Type.Object({
              name: text(),
              port: int32(),
              targetPort: intOrString(),
              protocol: Type.Optional(oneOf("TCP", "UDP", "SCTP")),
            }),
          ),
        }),
      ),
      deployment: Type.Optional(
        some({
          podAdditionalMetadata: some({ labels: textMap(), annotations: textMap() }),
          extraContainers: Type.Array(open<Container>()),
          extraVolumes: named(),
        }),
      ),
    }),
    status: Type.Optional(
      Type.Object({
        ready: Type.Boolean(),
        initialized: Type.Boolean(),
        externalManagedControlPlane: Type.Boolean(),
        replicas: int32(),
        readyReplicas: int32(),
        updatedReplicas: int32(),
        unavailableReplicas: int32(),
        selector: text(),
        version: text(),
        conditions: Type.Optional(conditions()),
        failureMessage: Type.Optional(text()),
      }),
    ),
  }),
  impact: {
    otherwise: "rolls",
    // Addons and machines are let go by way of it.
    deleted: "last",
    deletion: "losesData",
    at: {
      "spec.replicas": "inPlace",
      "spec.network": "inPlace",
      "spec.network.certSANs": "rolls",
      "spec.network.serviceType": "inPlace",
      "spec.kubelet": "none",
    },
  },
});

export const controlPlaneContracts = [KamajiControlPlane] as const;
