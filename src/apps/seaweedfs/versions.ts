/** Images of the driver that a pure client runs itself. Everything else comes with the chart. */
export const driverImage = "ghcr.io/seaweedfs/seaweedfs-cosi-driver:v0.3.1";
export const sidecarImage =
  "ghcr.io/cozystack/cozystack/objectstorage-sidecar:v1.6.0@sha256:4d665becd3399c2fe1e8a66e15d14d16e4a5a75395fb0ae65cff46679a8989f1";
