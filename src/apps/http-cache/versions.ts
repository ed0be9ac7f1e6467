/** nginx with the modules that the configuration uses, and the script that has it reload. */
export const nginxImage =
  "ghcr.io/cozystack/cozystack/nginx-cache:v1.6.0@sha256:bd042a8a9789e8b21b12cb266e390484a3a48f4af6ca6e2d2864a8a83c74bd25";
