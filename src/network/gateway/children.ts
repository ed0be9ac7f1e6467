/**
 * Keeps the objects of a tenant's gateway. One of the name that is not the gateway's own is never touched.
 */
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { AnyKind, Kind, KubeObject } from "../../kube/object.ts";
import type { Store } from "../../kube/store.ts";
import { canonical } from "../../reconcile/digest.ts";
import { placeOf, type TenantGatewayObject } from "./names.ts";
import { GatewayProblem } from "./objects.ts";

type Keeps<T extends KubeObject> = Pick<Store<T>, "get" | "assume">;

export class Children {
  /**
   * What was applied, by uid: its digest, and the generation it had then. Another generation is somebody's change. Nothing more of
   * an object is needed, so that its store may keep no more than metadata; a new process applies everything once.
   */
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
    store: Keeps<T> | Keeps<KubeObject>,
    gateway: TenantGatewayObject,
  ): Promise<void> {
    const { name } = wanted.metadata;
    const live: KubeObject | undefined = store.get(name, placeOf(gateway));
    if (live !== undefined && !isOwned(live, gateway)) {
      throw new GatewayProblem(
        `${kind.kind} ${name} exists and is not the gateway's own: it is left alone`,
        "Delete it, or give it another name.",
      );
    }
    const mark = ({ metadata }: KubeObject): string => `${metadata.generation} ${canonical(wanted)}`;
    if (live !== undefined && this.applied.get(live.metadata.uid ?? "") === mark(live)) return;
    const written = await this.client.apply(kind, wanted, { fieldManager: this.fieldManager });
    this.applied.set(written.metadata.uid ?? "", mark(written));
    store.assume(written);
  }

  /** Deletes objects of the gateway that are not among the wanted ones. */
  async prune(
    kind: AnyKind,
    wanted: readonly KubeObject[],
    store: Pick<Store<KubeObject>, "ownedBy">,
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

  /** Forgets objects that are gone. */
  forget(uid: string | undefined): void {
    this.applied.delete(uid ?? "");
  }
}

const isOwned = ({ metadata }: KubeObject, gateway: TenantGatewayObject): boolean =>
  metadata.ownerReferences?.some(({ uid }) => uid === gateway.metadata.uid) === true;
