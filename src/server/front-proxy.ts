/**
 * The front proxy's authority, followed in the ConfigMap in which the cluster publishes it.
 */
import { ConfigMap } from "../kube/core-kinds.ts";
import type { Stores } from "../kube/stores.ts";
import { type FrontProxy, frontProxyOf } from "./authentication.ts";

const name = "extension-apiserver-authentication";
const namespace = "kube-system";

/** Calls `handler` now and whenever it changes. Resolves when it was called once. */
export async function followFrontProxy(
  stores: Stores,
  signal: AbortSignal,
  handler: (frontProxy: FrontProxy | undefined) => void,
  onError: (error: unknown) => void,
): Promise<void> {
  const { store } = stores.use(ConfigMap, { namespace, fieldSelector: `metadata.name=${name}` });
  store.subscribe(({ type, object }) => {
    try {
      handler(type === "deleted" ? undefined : frontProxyOf(object.data));
    } catch (error) {
      // Not understood: nobody is believed until it is.
      handler(undefined);
      onError(error);
    }
  });
  await store.ready(signal);
}
