/**
 * The resource presets: `<series>.<size>`, and the flat names of old that stay valid with their old values.
 */

const cpuOfSize = {
  nano: "250m",
  micro: "500m",
  small: "1",
  medium: "2",
  large: "4",
  xlarge: "8",
  "2xlarge": "16",
  "4xlarge": "32",
} as const;

/** Memory in MiB of the smallest size; every further size has twice as much. */
const smallestMemory = { t1: 128, c1: 256, s1: 512, u1: 1024, m1: 2048 } as const;

const flat = {
  nano: "t1.nano",
  micro: "t1.micro",
  small: "t1.small",
  medium: "c1.small",
  large: "c1.medium",
  xlarge: "c1.large",
  "2xlarge": "c1.xlarge",
} as const;

const memoryText = (mebibytes: number): string => (mebibytes < 1024 ? `${mebibytes}Mi` : `${mebibytes / 1024}Gi`);

const series = Object.entries(smallestMemory).flatMap(([name, smallest]) =>
  Object.entries(cpuOfSize).map(([size, cpu], step) => {
    const amounts = { cpu, memory: memoryText(smallest * 2 ** step), "ephemeral-storage": "2Gi" };
    return [`${name}.${size}`, amounts] as const;
  }),
);
const bySeries = new Map<string, Readonly<Record<string, string>>>(series);

/** What each preset gives a container. In the order of the schema's enum. */
export const presets: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map([
  ...bySeries,
  ...Object.entries(flat).flatMap(([name, same]) => {
    const amounts = bySeries.get(same);
    return amounts === undefined ? [] : [[name, amounts] as const];
  }),
]);

/** The preset that a flat name stands for; the name itself when it is not one of those. */
export function currentPreset(name: string): string {
  return new Map<string, string>(Object.entries(flat)).get(name) ?? name;
}
