/** Images of MongoDB and of what runs beside it, as the operator of `crVersion` knows them. */

export const crVersion = "1.22.0";

/** Version of the specification -> image. */
export const images = {
  v8: "percona/percona-server-mongodb:8.0.17-6",
  v7: "percona/percona-server-mongodb:7.0.28-15",
  v6: "percona/percona-server-mongodb:6.0.25-20",
} as const satisfies Record<string, string>;

export const versions = ["v8", "v7", "v6"] as const;

export const backupImage = "percona/percona-backup-mongodb:2.11.0";

/** Never run, and yet the operator wants its name. */
export const pmmImage = "percona/pmm-client:2.44.1";
