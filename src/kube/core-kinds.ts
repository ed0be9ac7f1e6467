/**
 * The kinds that Kubernetes itself serves, as callable values and as types of the same name: `Service("db", { ... })`
 * makes a `Service`. Types hold the fields in use; the API knows more.
 */
export * from "./kinds/access.ts";
export * from "./kinds/common-fields.ts";
export * from "./kinds/core.ts";
export * from "./kinds/extension.ts";
export * from "./kinds/networking.ts";
export * from "./kinds/pod-spec.ts";
export * from "./kinds/storage.ts";
export * from "./kinds/workloads.ts";
