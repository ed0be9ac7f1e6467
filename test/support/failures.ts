/** Failures of what runs in a test, on its stderr as people see them: one line each, and none for what passes by itself. */
import { failureLog } from "../../src/cli/failure-log.ts";
import { systemWorld } from "../../src/kube/world.ts";

export const tellFailure = failureLog(systemWorld, (line) => console.error(line));
