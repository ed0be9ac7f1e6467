/**
 * The guest systems that virtual machines know: what devices each likes, and what it needs at least.
 */
import { VirtualMachineClusterPreference } from "../../contracts/instancetype-kubevirt-io.ts";

type Spec = ReturnType<typeof VirtualMachineClusterPreference>["spec"];

/** Kinds of guests, each a set of devices. */
type Taste = "virtio" | "transitional" | "legacy" | "windows" | "windows.virtio" | "windows.old";

/** Uses of a guest that want more. */
type Use = "desktop" | "dpdk" | "realtime" | "efi" | "arm64" | "s390x" | "windows11";

interface Guest {
  readonly name: string;
  readonly title: string;
  readonly taste: Taste;
  readonly memory: string;
  readonly uses: readonly Use[];
}

const present = { present: true } as const;
const enabled = { enabled: true } as const;

/** What Windows asks of its hypervisor. */
const hyperv: Spec = {
  clock: {
    preferredClockOffset: { utc: {} },
    preferredTimer: {
      hpet: { present: false },
      hyperv: present,
      pit: { ...present, tickPolicy: "delay" },
      rtc: { ...present, tickPolicy: "catchup" },
    },
  },
  cpu: { preferredCPUTopology: "sockets" },
  features: {
    preferredAcpi: {},
    preferredApic: {},
    preferredHyperv: { relaxed: {}, spinlocks: { spinlocks: 8191 }, vapic: {}, vpindex: {}, synic: {} },
  },
};

const devices: Readonly<Record<Taste, NonNullable<Spec["devices"]>>> = {
  virtio: { preferredDiskBus: "virtio", preferredInterfaceModel: "virtio", preferredRng: {} },
  transitional: {
    preferredDiskBus: "virtio",
    preferredInterfaceModel: "virtio",
    preferredUseVirtioTransitional: true,
    preferredRng: {},
  },
  legacy: { preferredDiskBus: "sata", preferredInterfaceModel: "e1000" },
  windows: {
    preferredDiskBus: "sata",
    preferredInterfaceModel: "e1000e",
    preferredInputBus: "usb",
    preferredInputType: "tablet",
  },
  "windows.virtio": {
    preferredDiskBus: "virtio",
    preferredInterfaceModel: "virtio",
    preferredInputBus: "virtio",
    preferredInputType: "tablet",
    preferredRng: {},
  },
  "windows.old": {
    preferredDiskBus: "sata",
    preferredInterfaceModel: "rtl8139",
    preferredInputBus: "usb",
    preferredInputType: "tablet",
  },
};

const efi = (secureBoot: boolean): Spec => ({
  firmware: { preferredEfi: { secureBoot } },
  ...(secureBoot ? { features: { preferredSmm: enabled } } : {}),
});

function wants(use: Use): Spec {
  switch (use) {
    case "desktop":
      return {
        devices: { preferredAutoattachInputDevice: true, preferredInputBus: "virtio", preferredInputType: "tablet" },
      };
    case "dpdk":
      return { devices: { preferredNetworkInterfaceMultiQueue: true, preferredBlockMultiQueue: true } };
    case "realtime":
      return { devices: { preferredAutoattachMemBalloon: false, preferredAutoattachGraphicsDevice: false } };
    case "efi":
      return efi(false);
    case "arm64":
    case "s390x":
      return { preferredArchitecture: use, requirements: { architecture: use } };
    case "windows11":
      return { ...efi(true), devices: { preferredTPM: { enabled: true, persistent: true } } };
  }
}

const guest = (name: string, title: string, taste: Taste, memory: string, ...uses: readonly Use[]): Guest => ({
  name,
  title,
  taste,
  memory,
  uses,
});

/** A system of Red Hat's family under `name`, and its variants. */
const family = (name: string, title: string, memory: string, variants: readonly Use[], ...base: readonly Use[]) => [
  guest(name, title, "virtio", memory, ...base),
  ...variants.map((use) => guest(`${name}.${use}`, `${title} (${use})`, "virtio", memory, ...base, use)),
];

/** A version of Windows, and the same with paravirtual drivers. */
const windows = (name: string, title: string, memory: string, ...uses: readonly Use[]) => [
  guest(`windows.${name}`, `Microsoft ${title}`, "windows", memory, ...uses),
  guest(`windows.${name}.virtio`, `Microsoft ${title} (virtio)`, "windows.virtio", memory, ...uses),
];

const guests: readonly Guest[] = [
  guest("alpine", "Alpine Linux", "virtio", "512Mi"),
  ...family("centos.7", "CentOS 7", "1536Mi", ["desktop"]),
  ...family("centos.stream8", "CentOS Stream 8", "1536Mi", ["desktop", "dpdk"], "efi"),
  ...family("centos.stream9", "CentOS Stream 9", "1536Mi", ["desktop", "dpdk"], "efi"),
  ...family("centos.stream10", "CentOS Stream 10", "1536Mi", ["desktop"], "efi"),
  guest("cirros", "CirrOS", "virtio", "256Mi"),
  guest("debian", "Debian", "virtio", "512Mi"),
  ...family("fedora", "Fedora", "2Gi", ["arm64", "s390x"], "efi"),
  guest("legacy", "Guest without paravirtual drivers", "legacy", "256Mi"),
  guest("linux", "Any Linux", "virtio", "512Mi"),
  guest("linux.efi", "Any Linux (efi)", "virtio", "512Mi", "efi"),
  guest("linux.virtiotransitional", "Any Linux (early virtio)", "transitional", "512Mi"),
  guest("opensuse.leap", "openSUSE Leap", "virtio", "1Gi", "efi"),
  guest("opensuse.tumbleweed", "openSUSE Tumbleweed", "virtio", "1Gi", "efi"),
  guest("oraclelinux", "Oracle Linux", "virtio", "1536Mi", "efi"),
  ...family("rhel.7", "Red Hat Enterprise Linux 7", "1536Mi", ["desktop"]),
  ...family("rhel.8", "Red Hat Enterprise Linux 8", "1536Mi", ["desktop", "dpdk"], "efi"),
  ...family("rhel.9", "Red Hat Enterprise Linux 9", "1536Mi", ["arm64", "s390x", "desktop", "dpdk", "realtime"], "efi"),
  ...family("rhel.10", "Red Hat Enterprise Linux 10", "1536Mi", ["arm64", "s390x", "desktop"], "efi"),
  guest("sles", "SUSE Linux Enterprise Server", "virtio", "1Gi", "efi"),
  guest("ubuntu", "Ubuntu", "virtio", "2Gi"),
  guest("windows.xp", "Microsoft Windows XP", "windows.old", "512Mi"),
  guest("windows.2k3", "Microsoft Windows Server 2003", "windows.old", "512Mi"),
  ...windows("7", "Windows 7", "1Gi"),
  ...windows("2k8", "Windows Server 2008", "512Mi"),
  ...windows("2k12", "Windows Server 2012", "512Mi"),
  ...windows("2k16", "Windows Server 2016", "512Mi"),
  ...windows("2k19", "Windows Server 2019", "512Mi"),
  ...windows("2k22", "Windows Server 2022", "512Mi"),
  ...windows("2k25", "Windows Server 2025", "2Gi", "efi"),
  ...windows("10", "Windows 10", "2Gi"),
  ...windows("11", "Windows 11", "4Gi", "windows11"),
];

/** `over` laid on `base`: groups that several parts set are merged, other fields win. */
const overlay = (base: Spec, over: Spec): Spec => ({
  ...base,
  ...over,
  devices: { ...base.devices, ...over.devices },
  features: { ...base.features, ...over.features },
  requirements: { ...base.requirements, ...over.requirements },
});

function preference({ name, title, taste, memory, uses }: Guest) {
  const isWindows = taste.startsWith("windows");
  // Windows before 2008 knows nothing of its hypervisor.
  const base = isWindows && taste !== "windows.old" ? hyperv : {};
  const cpu = uses.includes("windows11") ? 2 : 1;
  const own: Spec = {
    annotations: { "vm.kubevirt.io/os": isWindows ? "windows" : "linux" },
    devices: devices[taste],
    requirements: { cpu: { guest: cpu }, memory: { guest: memory } },
  };
  const spec = [own, ...uses.map(wants)].reduce(overlay, base);
  const { features = {}, ...rest } = spec;
  return VirtualMachineClusterPreference(name, {
    annotations: { "openshift.io/display-name": title },
    spec: Object.keys(features).length === 0 ? rest : spec,
  });
}

/** Every preference, by system. */
export const preferenceManifests = guests.map(preference);
