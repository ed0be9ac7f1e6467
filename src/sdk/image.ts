/** Where images come from. */
import { type AppContext, clusterText } from "./context.ts";

/** The image, out of the platform's own registry where `_cluster.images-registry` names one. */
export function mirrored(image: string, { cluster }: Pick<AppContext, "cluster">): string {
  const registry = clusterText(cluster, "images-registry").replace(/\/+$/, "");
  return registry === "" ? image : `${registry}/${image.replace(/^\//, "")}`;
}
