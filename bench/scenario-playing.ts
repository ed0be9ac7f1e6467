/** The same with the twin and all of Kubernetes' controllers: how long until applications are ready, and what it costs. */
import { order, remove } from "./applications.ts";
import type { BenchOptions, Figure } from "./figure.ts";
import { openLab } from "./lab.ts";

export async function run({ quick, log }: BenchOptions): Promise<readonly Figure[]> {
  const count = quick ? 5 : 100;
  const lab = await openLab({ log, playing: true });
  try {
    await order(lab, { kind: "Postgres", count: 5, prefix: "warm", until: "Ready" });
    const ready = await order(lab, { kind: "Postgres", count, prefix: "a", until: "Ready" });
    const deleted = await remove(lab, { kind: "Postgres", count, prefix: "a" });
    for (const line of [...ready.errors, ...deleted.errors].slice(0, 5)) log(`the controllers said: ${line}`);
    const at = `${count} Postgres with the twin`;
    return [
      { name: `until Ready, ${at}`, value: (count * 60) / ready.seconds, unit: "applications/min" },
      { name: `deleted, ${at}`, value: (count * 60) / deleted.seconds, unit: "applications/min" },
      { name: `writes until Ready, ${at}`, value: ready.writes / count, unit: "/application" },
      { name: `reads until Ready, ${at}`, value: ready.reads / count, unit: "/application" },
      ...Object.entries(ready.cpuSeconds).map(([process, seconds]) => ({
        name: `CPU until Ready, ${process}, ${at}`,
        value: (seconds * 1000) / count,
        unit: "ms/application",
      })),
    ];
  } finally {
    await lab.close();
  }
}
