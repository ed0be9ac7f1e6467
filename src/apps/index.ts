/**
 * The catalogue: every application that this program offers.
 */
import type { App } from "../sdk/app.ts";

export const apps: readonly App[] = [];
