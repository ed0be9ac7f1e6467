/** Images of MariaDB and of what runs beside it. */

/** Version of the specification -> image. */
export const images = {
  "v11.8": "mariadb:11.8.5",
  "v11.4": "mariadb:11.4.9",
  "v10.11": "mariadb:10.11.15",
  "v10.6": "mariadb:10.6.24",
} as const satisfies Record<string, string>;

export const versions = ["v11.8", "v11.4", "v10.11", "v10.6"] as const;

export const exporterImage = "prom/mysqld-exporter:v0.15.1";

/** The scheduled dump: the MariaDB client and restic. */
export const dumpImage =
  "ghcr.io/cozystack/cozystack/mariadb-backup:v1.6.0@sha256:1de944b5c4fbeef94004b8620b0865aa7886a692dacb23d50c8f9b31fbeece07";
