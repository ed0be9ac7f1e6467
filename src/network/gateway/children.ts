/**
 * Keeps the objects of a tenant's gateway. One of the name that is not the gateway's own is never touched.
 */
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import type { Store } from "../../kube/store.ts";
import { differences } from "../../reconcile/diff.ts";
import { canonical } from "../../reconcile/digest.ts";
import { placeOf, type TenantGatewayObject } from "./names.ts";
import { GatewayProblem } from "./objects.ts";

export class Children {
  /** What was last applied, by uid: so that what is no longer wanted is taken out, too. */
  private readonly applied = new Map<string, string>();
  private readonly client: Client;
  private readonly fieldManager: string;

  constructor(client: Client, fieldManager: string) {
    this.client = client;
    this.fieldManager = fieldManager;
  }

  /** Applies the object where it is not as wanted. Throws a GatewayProblem where somebody else has one of its name. */
  async keep<T extends KubeObject>(
    kind: Kind<T>,
    wanted: T,
    store: Store<T>,
    gateway: TenantGatewayObject,
  ): Promise<void> {
    const { name } = wanted.metadata;
    const live = store.get(name, placeOf(gateway));
    if (live !== undefined && !isOwned(live, gateway)) {
      throw new GatewayProblem(
        `${kind.kind} ${name} exists and is not the gateway's own: it is left alone; delete or rename it`,
      );
    }
    const digest = canonical(wanted);
    const uid = live?.metadata.uid ?? "";
    if (live !== undefined && this.applied.get(uid) === digest && differences(wanted, live).length === 0) return;
    const written = await this.client.apply(kind, wanted, { fieldManager: this.fieldManager });
    this.applied.set(written.metadata.uid ?? "", digest);
    store.assume(written);
  }

  /** Deletes objects of the gateway that are not among the wanted ones. */
  async prune<T extends KubeObject>(
    kind: Kind<T>,
    wanted: readonly KubeObject[],
    store: Store<T>,
    gateway: TenantGatewayObject,
  ): Promise<void> {
    const names = new Set(wanted.map(({ metadata }) => metadata.name));
    for (const live of store.ownedBy(gateway.metadata.uid ?? "")) {
      const { name, namespace, uid = "", deletionTimestamp } = live.metadata;
      if (names.has(name) || deletionTimestamp !== undefined) continue;
      this.applied.delete(uid);
      try {
        await this.client.delete(kind, name, namespace, { uid });
      } catch (error) {
        if (!isApiError(error, "NotFound")) throw error;
      }
    }
  }
}

const isOwned = ({ metadata }: KubeObject, gateway: TenantGatewayObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === gateway.metadata.uid) === true;
