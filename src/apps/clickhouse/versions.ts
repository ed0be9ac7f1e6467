/** Images of ClickHouse and of what runs beside it. There is one version; the specification has no field for it. */

const version = "24.9.2.42";

export const serverImage = `clickhouse/clickhouse-server:${version}`;
export const keeperImage = `clickhouse/clickhouse-keeper:${version}`;

/** The backup server beside each ClickHouse, called by the platform's backup driver. */
export const sidecarImage =
  "ghcr.io/cozystack/cozystack/altinity-clickhouse-backup:v1.6.0@sha256:e890d78cd83968bdff9a36c9ca4312afc05e138af486e476da0a935f81f9b7a7";

/** clickhouse-client with restic, for the scheduled dump. */
export const dumpImage =
  "ghcr.io/cozystack/cozystack/clickhouse-backup:v1.6.0@sha256:8efef62d59fb82d39544823f81a797c2b9ac130a50241fee48e701161ce2670d";
