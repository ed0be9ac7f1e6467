/** Outline's server. */
export const image = "quay.io/outline/shadowbox:stable";
