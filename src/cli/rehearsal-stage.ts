/**
 * What plays on the copy of a rehearsal: this version's controllers, and the twin for operators and machines.
 */
import { systemWorld } from "../kube/world.ts";
import { startTwin } from "../twin/index.ts";
import { realSeconds } from "../twin/scene.ts";
import type { Pace } from "../upgrade/effects/recorder.ts";
import type { Players } from "../upgrade/rehearse/rehearse.ts";
import { runControllers } from "./controllers.ts";

/** What the twin's steps take where something really runs. A machine starts, and then its node. */
export const pace: Pace = {
  pods: realSeconds("start"),
  "virtual machines": realSeconds("start") + realSeconds("work"),
  machines: realSeconds("start") + 2 * realSeconds("work"),
  // They go at once, with what was on them.
  volumes: 0,
};

/** Who plays. What goes wrong and is tried again is told line by line. */
export function rehearsalPlayers(log: (line: string) => void): Players {
  let grafanaAt: ((namespace: string) => string) | undefined;
  return {
    async operators({ client, signal }, isPlayed) {
      const twin = await startTwin({
        client,
        signal,
        onCopy: !isPlayed,
        // Nobody watches it: what takes time is only counted.
        pace: 0,
        onError: (what, error) => {
          if (!signal.aborted) log(`twin: ${what}: ${String(error)}`);
        },
      });
      grafanaAt = twin.grafanaAt;
      return twin;
    },
    async controllers({ client, apps, recorder, signal }) {
      const ended = runControllers({
        client,
        world: systemWorld,
        signal,
        apps,
        log,
        pruneSettle: 0,
        ...(grafanaAt === undefined ? {} : { grafanaAt }),
        onPass: (app, state) => recorder.passed(app, state),
        onWritten: (app, changes) => recorder.written(app, changes),
      });
      return { ended };
    },
  };
}
