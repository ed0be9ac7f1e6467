/** Images of PostgreSQL. */

/** Version of the specification -> image. The operator tells the major version by the tag. */
export const images = {
  v18: "ghcr.io/cloudnative-pg/postgresql:18.1",
  v17: "ghcr.io/cloudnative-pg/postgresql:17.7",
  v16: "ghcr.io/cloudnative-pg/postgresql:16.11",
  v15: "ghcr.io/cloudnative-pg/postgresql:15.15",
  v14: "ghcr.io/cloudnative-pg/postgresql:14.20",
  v13: "ghcr.io/cloudnative-pg/postgresql:13.22",
} as const satisfies Record<string, string>;

export const versions = ["v18", "v17", "v16", "v15", "v14", "v13"] as const;
