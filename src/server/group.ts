/** The group and version of the aggregated API. */
export const coreApi = { group: "core.cozystack.io", version: "v1alpha1" } as const;
