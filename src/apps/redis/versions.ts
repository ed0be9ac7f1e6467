/** Images of Redis and of what runs beside it. */

/** Version of the specification -> image. */
export const images = {
  v8: "redis:8.4.0",
  v7: "redis:7.4.7",
} as const satisfies Record<string, string>;

export const versions = ["v8", "v7"] as const;

/** Sentinels speak to every server version above, so that they need not follow it. */
export const sentinelImage = "redis:6.2.6-alpine";
export const exporterImage = "oliver006/redis_exporter:v1.55.0-alpine";
