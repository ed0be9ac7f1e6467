/**
 * The room's entrance: the server and its guard, and what webhooks on the same listener are made of.
 */
export { type Document, json } from "./answer.ts";
export { type GuardOptions, runRegistrationGuard } from "./guard.ts";
export { type Caller, type Incoming, parseObject } from "./incoming.ts";
export type { Route } from "./listener.ts";
export type { Location, Reach, Registration } from "./registration.ts";
export { type Server, type ServerOptions, startServer } from "./server.ts";
export { StatusError } from "./status.ts";
