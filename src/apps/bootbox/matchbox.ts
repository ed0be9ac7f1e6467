/** matchbox: what a machine is told to boot, whoever asks. */
import { Deployment } from "../../contracts/apps.ts";
import { ConfigMap, Service } from "../../contracts/core.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { image } from "./versions.ts";

/** Deployment, monitor, and label `app` of the pods. */
export const matchbox = "bootbox-matchbox";

/** The Service. */
export const service = "bootbox";

/** Arguments of Talos's kernel. */
const kernelArguments = [
  "initrd=initramfs.xz",
  "init_on_alloc=1",
  "slab_nomerge",
  "pti=on",
  "console=tty0",
  "console=ttyS0",
  "printk.devkmsg=on",
  "talos.platform=metal",
];

const profile = {
  id: "default",
  name: "default",
  boot: { kernel: "/assets/vmlinuz", initrd: ["/assets/initramfs.xz"], args: kernelArguments },
};

const group = { id: "default", name: "default", profile: profile.id };

/** JSON as upstream writes it: lists of one on one line. */
function text(value: object): string {
  return `${JSON.stringify(value, undefined, 2).replace(/\[\s+("[^"]*")\s+\]/g, "[$1]")}\n`;
}

const directories = {
  profiles: "/var/lib/matchbox/profiles",
  groups: "/var/lib/matchbox/groups",
  configs: "/var/lib/matchbox/assets/configs",
} as const;

function deployment(): Rendered {
  const labels = { app: matchbox };
  const names = Object.entries(directories);
  const container = {
    name: "matchbox",
    image,
    args: ["-address=:8080", "-log-level=debug"],
    ports: [{ name: "http", containerPort: 8080, protocol: "TCP" as const }],
    volumeMounts: names.map(([name, mountPath]) => ({ name: `${name}-volume`, mountPath })),
    resources: { requests: { cpu: "50m", memory: "128Mi" }, limits: { cpu: "200m", memory: "256Mi" } },
  };
  const volumes = names.map(([name]) => ({ name: `${name}-volume`, configMap: { name: `bootbox-${name}` } }));
  return Deployment(matchbox, {
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container], volumes } },
    },
  });
}

/** The server, its files and its Service. */
export function matchboxObjects(): readonly Rendered[] {
  return [
    ConfigMap("bootbox-profiles", { data: { "default.json": text(profile) } }),
    ConfigMap("bootbox-groups", { data: { "default.json": text(group) } }),
    // For machine configurations that an administrator puts there by hand.
    ConfigMap("bootbox-configs"),
    deployment(),
    Service(service, {
      spec: {
        selector: { app: matchbox },
        ports: [{ name: "http", port: 80, protocol: "TCP", targetPort: "http" }],
      },
    }),
  ];
}
