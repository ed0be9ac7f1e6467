/** Upstream's chart, whose name and version are on labels that selectors and pod templates carry. */
export const chart = { chart: "vm-instance", appVersion: "0.12.0" } as const;
