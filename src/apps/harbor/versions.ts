/** Images of what stands beside Harbor itself, which comes with its chart. */
export const redisImage = "redis:6.2.6-alpine";
export const exporterImage = "oliver006/redis_exporter:v1.55.0-alpine";
