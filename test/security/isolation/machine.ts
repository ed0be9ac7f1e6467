import { describe, test } from "node:test";
import type { Client } from "../../../src/kube/client.ts";
import { places } from "../support/cluster.ts";
import {
  admin,
  byRights,
  dryRun,
  everything,
  type Loose,
  loose,
  namespace,
  operator,
  refusedBy,
  strongest,
} from "./people.ts";

const Pod = loose("", "v1", "Pod", "pods");
const Service = loose("", "v1", "Service", "services");
const Deployment = loose("apps", "v1", "Deployment", "deployments");
const CronJob = loose("batch", "v1", "CronJob", "cronjobs");

const container = (more: Loose = {}, security: Loose = {}): Loose => ({
  name: "c",
  image: "example.org/c",
  securityContext: { runAsNonRoot: true, ...security },
  ...more,
});
const podSpec = (more: Loose = {}, inside: Loose = container()): Loose => ({ containers: [inside], ...more });

/** A pod, and what makes pods of the same form. */
function forms(spec: Loose): readonly ((client: Client) => Promise<unknown>)[] {
  const labels = { app: "tried" };
  const template = { metadata: { labels }, spec };
  const job = { template: { ...template, spec: { ...spec, restartPolicy: "Never" } } };
  return [
    (client) => client.create(Pod, Pod("tried", { namespace, spec }), dryRun),
    (client) =>
      client.create(
        Deployment,
        Deployment("tried", { namespace, spec: { selector: { matchLabels: labels }, template } }),
        dryRun,
      ),
    (client) =>
      client.create(
        CronJob,
        CronJob("tried", { namespace, spec: { schedule: "0 3 * * *", jobTemplate: { spec: job } } }),
        dryRun,
      ),
  ];
}

describe("what touches the machine below", () => {
  const rows: readonly { readonly what: string; readonly spec: Loose; readonly says: RegExp }[] = [
    { what: "privileged", spec: podSpec({}, container({}, { privileged: true })), says: /privileged containers/ },
    { what: "host PID", spec: podSpec({ hostPID: true }), says: /hostPID/ },
    { what: "host IPC", spec: podSpec({ hostIPC: true }), says: /hostIPC/ },
    { what: "host network", spec: podSpec({ hostNetwork: true }), says: /hostNetwork/ },
    {
      what: "hostPath",
      spec: podSpec({ volumes: [{ name: "v", hostPath: { path: "/" } }] }),
      says: /volumes of hostPath/,
    },
    {
      what: "hostPort",
      spec: podSpec({}, container({ ports: [{ containerPort: 80, hostPort: 80 }] })),
      says: /hostPort/,
    },
    {
      what: "added capabilities",
      spec: podSpec({}, container({}, { capabilities: { add: ["NET_BIND_SERVICE", "SYS_ADMIN"] } })),
      says: /added capabilities/,
    },
    {
      what: "no word about the user",
      spec: podSpec({}, container({}, { runAsNonRoot: false })),
      says: /without runAsNonRoot/,
    },
    {
      what: "root in one container of a pod that says non-root",
      spec: podSpec({ securityContext: { runAsNonRoot: true } }, container({}, { runAsUser: 0 })),
      says: /without runAsNonRoot/,
    },
    {
      what: "privileged in an init container",
      spec: podSpec({ initContainers: [container({ name: "i" }, { privileged: true })] }),
      says: /privileged containers/,
    },
  ];
  for (const { what, spec, says } of rows) {
    test(`${what}: nobody of a tenant makes such a pod`, async () => {
      for (const client of Object.values(strongest)) {
        for (const form of forms(spec)) await refusedBy(byRights, () => form(client));
      }
      for (const form of forms(spec)) await refusedBy(says, () => form(everything));
      // Operators and administrators do.
      for (const form of forms(spec)) {
        await form(admin);
        await form(operator);
      }
    });
  }

  test("a harmless pod is made by whoever was given the right, and by nobody else", async () => {
    for (const form of forms(
      podSpec({}, container({}, { capabilities: { drop: ["ALL"], add: ["NET_BIND_SERVICE"] } })),
    )) {
      await form(everything);
      for (const client of Object.values(strongest)) await refusedBy(byRights, () => form(client));
    }
  });

  test("NodePort and foreign addresses: nobody of a tenant takes them", async () => {
    const service = (spec: Loose) => (client: Client) =>
      client.create(Service, Service("tried", { namespace, spec: { ports: [{ port: 80 }], ...spec } }), dryRun);
    const taken = [
      [service({ type: "NodePort" }), /NodePort opens a port of every machine/],
      [service({ externalIPs: ["192.0.2.1"] }), /traffic to these addresses/],
    ] as const;
    for (const [act, says] of taken) {
      for (const client of Object.values(strongest)) await refusedBy(byRights, () => act(client));
      await refusedBy(says, () => act(everything));
      await act(admin);
    }
    await service({ type: "LoadBalancer" })(everything);
  });

  test("a pod's inside: no exec, attach, logs, forwarding, debug containers or eviction, in any tenant", async () => {
    for (const client of Object.values(strongest)) {
      for (const place of [places.own, places.child, places.sibling, places.parent]) {
        const pod = `/api/v1/namespaces/${place}/pods/probe`;
        const calls = [
          ["POST", `${pod}/exec?command=id`],
          ["GET", `${pod}/exec?command=id`],
          ["POST", `${pod}/attach`],
          ["GET", `${pod}/log`],
          ["POST", `${pod}/portforward?ports=80`],
          ["GET", `${pod}/proxy/`],
          ["PATCH", `${pod}/ephemeralcontainers`],
          ["POST", `${pod}/eviction`],
        ] as const;
        for (const [method, path] of calls) await refusedBy(byRights, () => client.raw(method, path, {}));
      }
    }
  });
});
