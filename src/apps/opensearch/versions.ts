/** Versions of OpenSearch and of its Dashboards. The operator knows their images. */

/** Version of the specification -> that of the program. */
export const programs = { v3: "3.0.0", v2: "2.11.1", v1: "1.3.20" } as const satisfies Record<string, string>;

export const versions = ["v3", "v2", "v1"] as const;
