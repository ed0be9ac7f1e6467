/** matchbox with Talos's kernel and root file system. */
export const image =
  "ghcr.io/cozystack/cozystack/matchbox:v1.6.0@sha256:7805917462ad1288272a6324c0f32a4f9a250e1723a2759f7afebce181400f96";
