/**
 * Reading a cluster of which nothing is known beforehand: which version of a kind is served is asked, never assumed. Only reads, a
 * few at a time, each with an end.
 */
import type { ClusterAccess } from "../../kube/access.ts";
import type { Client } from "../../kube/client.ts";
import { connect } from "../../kube/connect.ts";
import { ApiError } from "../../kube/errors.ts";
import { storedKubeconfig } from "../../kube/kubeconfig.ts";
import type { Version } from "../versions.ts";
import { discovery } from "./discovery.ts";
import { slots } from "./slots.ts";
import { type Answer, notServed, type Reader, read, resourceText, unreadableOf } from "./source.ts";

export interface ReaderOptions {
  readonly client: Client;
  readonly target: Version;
  /** Reads under way at a time, those within tenants' clusters among them. Default 8. */
  readonly reads?: number;
  /** Milliseconds until a read, all its pages together, counts as late. Default 60,000. */
  readonly patience?: number;
  /** Ends everything: what is asked afterwards is unreadable. */
  readonly signal?: AbortSignal;
  /** Called when a read has ended. */
  readonly onRead?: (what: string) => void;
}

/** The most that is waited for a read within a tenant's cluster: of many, some are always switched off. */
const patienceWithin = 15_000;

/** A read that took too long. */
const late = (what: string, milliseconds: number): ApiError =>
  new ApiError("Timeout", `${what}: no whole answer within ${Math.round(milliseconds / 1000)} s`);

type Bounds = Required<Pick<ReaderOptions, "patience" | "onRead" | "target">> & {
  readonly signal: AbortSignal | undefined;
  readonly inTurn: ReturnType<typeof slots>;
};

/** Reads through `client`, which stays the caller's. */
export function clusterReader(options: ReaderOptions): Reader {
  return readerOver(options.client, "", {
    target: options.target,
    patience: options.patience ?? 60_000,
    onRead: options.onRead ?? (() => {}),
    signal: options.signal,
    inTurn: slots(options.reads ?? 8),
  });
}

/** @param place in front of what is read, for a cluster within */
function readerOver(client: Client, place: string, bounds: Bounds): Reader {
  /** Work that has an end. */
  const ending = async <T>(what: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const expired = AbortSignal.timeout(bounds.patience);
    try {
      return await work(bounds.signal === undefined ? expired : AbortSignal.any([bounds.signal, expired]));
    } catch (error) {
      throw expired.aborted ? late(what, bounds.patience) : error;
    }
  };
  /** One read in its turn. What fails becomes an answer. */
  const bounded = <T>(what: string, work: (signal: AbortSignal) => Promise<Answer<T>>): Promise<Answer<T>> =>
    bounds.inTurn(async () => {
      const shown = `${place}${what}`;
      try {
        return await ending(shown, work);
      } catch (error) {
        return unreadableOf(shown, error);
      } finally {
        bounds.onRead(shown);
      }
    });
  // The answer is for all who ask, so that it has an end of its own.
  const kindOf = discovery((path) => ending(path, (signal) => client.raw("GET", path, undefined, { signal })));

  return {
    target: bounds.target,
    list: (resource, take, scope = {}) =>
      bounded(resourceText(resource), async (signal) => {
        const kind = await kindOf(resource);
        return kind === undefined ? notServed : read(await client.collect(kind, take, { ...scope, signal }));
      }),
    get: (resource, name, namespace) =>
      bounded(`${resourceText(resource)} ${namespace === undefined ? "" : `${namespace}/`}${name}`, async (signal) => {
        const kind = await kindOf(resource);
        return kind === undefined ? notServed : read(await client.get(kind, name, namespace, { signal }));
      }),
    raw: (path) => bounded(path, async (signal) => read(await client.raw("GET", path, undefined, { signal }))),
    async within(what, kubeconfig, work) {
      let access: ClusterAccess;
      try {
        access = storedKubeconfig(kubeconfig, what);
      } catch (error) {
        return unreadableOf(what, error);
      }
      const patience = Math.min(bounds.patience, patienceWithin);
      const inside = connect({ ...access, fieldManager: client.fieldManager, connections: 2, timeout: patience });
      try {
        return read(await work(readerOver(inside, `${what}: `, { ...bounds, patience })));
      } finally {
        await inside.close();
      }
    },
  };
}
