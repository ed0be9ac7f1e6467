/**
 * The listener's certificates in a Secret that all replicas share: whoever sees that something is due renews it, by a
 * write with a resource version; all take over what the watch brings.
 */

import type { Client } from "../../kube/client.ts";
import { Secret } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import { base64, secretText } from "../../kube/secret-text.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import { dueStep, renewed, type ServingState } from "./rotation.ts";

export interface ServingSecretOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly signal: AbortSignal;
  readonly name: string;
  readonly namespace: string;
  /** Names and addresses that clients connect to. */
  readonly hosts: readonly string[];
  readonly onError: (error: unknown) => void;
}

export interface ServingCertificates {
  readonly current: ServingState;
  /** Calls `handler` with every state that follows. */
  onChange(handler: (state: ServingState) => void): void;
}

/** Milliseconds between looks at what is due. */
const lookEvery = 60_000;

/** undefined for a Secret that does not hold everything. */
function stateOf(secret: Secret): ServingState | undefined {
  const at = (key: string): string => secretText(secret, key);
  const [bundle, authorityKey, certificate, key] = [at("ca.crt"), at("ca.key"), at("tls.crt"), at("tls.key")];
  if ([bundle, authorityKey, certificate, key].includes("")) return undefined;
  return { bundle, authorityKey, serving: { certificate, key } };
}

const same = (a: ServingState | undefined, b: ServingState): boolean =>
  a?.bundle === b.bundle && a.serving.certificate === b.serving.certificate;

/** Resolves when there are certificates to serve with; keeps them current until the signal is aborted. */
export async function servingSecret(options: ServingSecretOptions): Promise<ServingCertificates> {
  const { client, stores, world, signal, name, namespace, hosts, onError } = options;
  const handlers = new Set<(state: ServingState) => void>();
  let current: ServingState | undefined;

  const take = (state: ServingState): void => {
    if (same(current, state)) return;
    current = state;
    for (const handler of handlers) handler(state);
  };

  /** Brings the Secret up to date, as often as others get in between. */
  const ensure = async (): Promise<ServingState> => {
    for (;;) {
      const live = await client.get(Secret, name, namespace, { signal });
      // One that was deleted comes back as it was: what the API server trusts stays true.
      const state = live === undefined ? current : stateOf(live);
      if (state !== undefined && live !== undefined && dueStep(state, hosts, world.now()) === "nothing") return state;
      const next = await renewed(state, hosts, world.now());
      const data = {
        "ca.crt": base64(next.bundle),
        "ca.key": base64(next.authorityKey),
        "tls.crt": base64(next.serving.certificate),
        "tls.key": base64(next.serving.key),
      };
      const body = Secret(name, { namespace, type: "kubernetes.io/tls", data });
      try {
        if (live === undefined) await client.create(Secret, body, { signal });
        else await client.replace(Secret, { ...live, data: { ...live.data, ...data } }, { signal });
        return next;
      } catch (error) {
        if (!isApiError(error, "Conflict", "AlreadyExists")) throw error;
      }
    }
  };

  take(await ensure());
  const { store, release } = stores.use(Secret, { namespace, fieldSelector: `metadata.name=${name}` });
  const look = (): void => {
    ensure().then(take, (error: unknown) => {
      if (!signal.aborted) onError(error);
    });
  };
  const unsubscribe = store.subscribe(({ type, object }) => {
    const state = type === "deleted" ? undefined : stateOf(object);
    if (state === undefined) look();
    else take(state);
  });
  void (async () => {
    while (!signal.aborted) {
      await world.sleep(lookEvery * (0.5 + world.random()), signal).catch(() => undefined); // ended: the loop sees it
      if (!signal.aborted) look();
    }
    unsubscribe();
    release();
  })();
  return {
    get current() {
      if (current === undefined) throw new Error("there are no certificates");
      return current;
    },
    onChange: (handler) => void handlers.add(handler),
  };
}
