/**
 * The catalogue: every application that this program offers.
 */
import type { App } from "../sdk/app.ts";
import { info } from "./info/index.ts";
import { pendingApps } from "./pending/index.ts";
import { tenant } from "./tenant/index.ts";

export const apps: readonly App[] = [tenant, info, ...pendingApps];
