/** The evaluator on policies of Kubernetes, alone and beside Cilium's. */
import { a, b, cilium, kubernetes, tryRows, world } from "./policy-rows.ts";

tryRows([
  { why: "Kubernetes: ingress by default", policies: [kubernetes({})], from: b, to: a, reaches: false },
  { why: "Kubernetes: not egress", policies: [kubernetes({})], from: a, to: b, reaches: true },
  { why: "Kubernetes: an empty rule opens", policies: [kubernetes({ ingress: [{}] })], from: b, to: a, reaches: true },
  {
    why: "Kubernetes: pods mean one's own namespace",
    policies: [kubernetes({ ingress: [{ from: [{ podSelector: {} }] }] })],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "Kubernetes: namespaces",
    policies: [kubernetes({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: "b" } } }] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "Kubernetes: namespaces by name",
    policies: [
      kubernetes({
        ingress: [{ from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "c" } } }] }],
      }),
    ],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "Kubernetes: addresses",
    policies: [kubernetes({ ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24" } }] }] })],
    from: world,
    to: a,
    reaches: true,
  },
  {
    why: "Kubernetes and Cilium add up",
    policies: [kubernetes({}), cilium({ ingress: [{ fromEntities: ["cluster"] }] })],
    from: b,
    to: a,
    reaches: true,
  },
]);
