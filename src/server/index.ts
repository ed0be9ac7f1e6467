/**
 * The room's entrance: the server of the users' views and of webhooks, and the guard of its registration.
 */
export { runRegistrationGuard } from "./guard.ts";
export { startServer } from "./server.ts";
