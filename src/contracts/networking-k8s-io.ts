export {
  Ingress,
  type Ingress as IngressObject,
  NetworkPolicy,
  type NetworkPolicy as NetworkPolicyObject,
} from "../kube/kinds/networking.ts";
