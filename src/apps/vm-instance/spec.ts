/** What a user says about a virtual machine. */
import type { Static } from "typebox";
import { appSpec, flag, group, integer, listOf, oneOf, open, quantity, rule, text } from "../../sdk/spec.ts";

/** Disks and networks are names of volumes and interfaces as well. */
const label = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

/** One line, as in a file with or without its end: a second one would be another key, with other rights. */
const sshKey = "^[^\\r\\n]+[\\r\\n]*$";

const network = (description: string) =>
  listOf(
    open({
      name: text({ required: true, pattern: label, maxLength: 63, description: "A network.", options: "network" }),
    }),
    {
      maxItems: 32,
      description,
    },
  );

const unique = (path: string, what: string) =>
  rule({
    path,
    rule: "self.all(one, self.exists_one(other, other.name == one.name))",
    message: `${what} is listed twice; remove one of the two`,
  });

const notDefault = (path: string) =>
  rule({
    path,
    rule: "self.all(one, one.name != 'default')",
    message: "default is the name of the pod network, which every machine has; another network cannot have it",
  });

const whole = (field: string) =>
  rule({
    path: `resources.${field}`,
    rule: "string(self).matches('^[0-9]{1,6}$')",
    message: `resources.${field} is a whole number, such as 2`,
  });

export const VMInstanceSpec = appSpec(
  {
    external: flag({ default: false, description: "Reachable from outside the cluster." }),
    externalMethod: oneOf(["PortList", "WholeIP"], {
      default: "PortList",
      description: "What of the external address reaches the machine: the listed ports, or everything.",
    }),
    externalPorts: listOf(integer({ minimum: 1, maximum: 65535 }), {
      default: [22],
      maxItems: 256,
      description: "Ports open to the outside.",
    }),
    externalAllowICMP: flag({ default: true, description: "Answer pings on the external address (PortList)." }),
    runStrategy: oneOf(["Always", "Halted", "Manual", "RerunOnFailure", "Once"], {
      default: "Always",
      description: "When the machine runs.",
    }),
    instanceType: text({
      default: "u1.medium",
      maxLength: 253,
      description: "Size of the machine. Empty: `resources` says it.",
      options: "instancetype",
    }),
    instanceProfile: text({
      default: "ubuntu",
      maxLength: 253,
      description: "Guest system, which decides what devices the machine has.",
      options: "instanceprofile",
    }),
    disks: listOf(
      open({
        name: text({ required: true, pattern: label, maxLength: 58, description: "A VMDisk.", options: "vmdisk" }),
        bus: oneOf(["", "virtio", "sata", "scsi", "usb"], {
          description: "Bus to attach it to; by default the profile's.",
        }),
      }),
      { maxItems: 64, description: "Disks, in the order of booting." },
    ),
    networks: network("Networks besides the pod network."),
    subnets: network("Old name of `networks`, read only where that is empty."),
    gpus: listOf(
      open({
        name: text({ required: true, minLength: 1, maxLength: 253, description: "A kind of GPU.", options: "gpu" }),
      }),
      {
        maxItems: 16,
        description: "Graphics processors by the name of their device; one may be listed repeatedly.",
      },
    ),
    cpuModel: text({ default: "", maxLength: 63, description: "Model of the processor that the guest sees." }),
    resources: group(
      {
        cpu: quantity({ description: "Processor cores in each socket." }),
        memory: quantity({ description: "Memory." }),
        sockets: quantity({ description: "Processor sockets." }),
      },
      { description: "Size of a machine without an instance type: all three." },
    ),
    sshKeys: listOf(text({ required: true, pattern: sshKey, maxLength: 8192 }), {
      maxItems: 64,
      description: "Public keys that may log in.",
    }),
    cloudInit: text({
      default: "",
      maxLength: 262144,
      description: "User data for cloud-init. Given, it alone decides; else it is made of the keys.",
    }),
    cloudInitSeed: text({
      default: "",
      maxLength: 253,
      description: "Changing it makes cloud-init run anew at the next start.",
    }),
  },
  [
    rule({
      field: "instanceType",
      rule: "self.instanceType != '' || (has(self.resources.cpu) && has(self.resources.sockets) && has(self.resources.memory))",
      message: "a machine needs an instanceType, or all of resources.cpu, resources.sockets and resources.memory",
    }),
    rule({
      field: "instanceType",
      rule: "self.instanceType == '' || (!has(self.resources.memory) && !(has(self.resources.cpu) && has(self.resources.sockets)))",
      message: 'instanceType and resources both say the size: set instanceType to "" or remove resources',
    }),
    rule({
      field: "externalPorts",
      rule: "!self.external || self.externalMethod == 'WholeIP' || size(self.externalPorts) > 0",
      message: "externalPorts is empty: list a port, or use externalMethod WholeIP",
    }),
    rule({
      path: "externalPorts",
      rule: "self.all(one, self.exists_one(other, other == one))",
      message: "a port is listed twice; remove one of the two",
    }),
    unique("disks", "a disk"),
    unique("networks", "a network"),
    unique("subnets", "a network"),
    notDefault("networks"),
    notDefault("subnets"),
    whole("cpu"),
    whole("sockets"),
  ],
);

export type Spec = Static<typeof VMInstanceSpec.schema>;
