/**
 * Keeps security groups: the finalizer, one policy for each group, the label on its members, and a status that says what
 * the group comes to. A key for each group and one for each pod; everything comes from watches.
 */
import { apps as catalogue } from "../apps/index.ts";
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import { Pod } from "../contracts/core.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Change, Store } from "../kube/store.ts";
import type { Stores, StoreUse } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import { canonical } from "../reconcile/digest.ts";
import { Fights } from "../reconcile/fights.ts";
import { kindOfApp } from "../reconcile/instance.ts";
import type { App } from "../sdk/app.ts";
import { type AppSource, sourceOf } from "../sdk/app-source.ts";
import { keepAtAdmission } from "./at-admission.ts";
import { BASELINE, type FactStores, factsOf } from "./facts.ts";
import {
  addIndexes,
  applicationOfPod,
  attachmentsOf,
  BY_APPLICATION,
  BY_ATTACHMENT,
  BY_GROUP,
  BY_REFERENCE,
  groupFacts,
  groupKey,
  groupsOfPod,
  placeOf,
  podFacts,
} from "./indexes.ts";
import { groupsOf, Makers, membershipWrite, takesMembers } from "./members.ts";
import { applicationKey, FINALIZER, type Group, MARKER, MEMBERSHIP, membershipsIn, networkManager } from "./names.ts";
import { keepPolicy } from "./policy-write.ts";
import { type Status, statusOf } from "./status.ts";

export interface SecurityGroupOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Default: all applications. */
  readonly apps?: readonly App[] | AppSource;
  /** Which namespaces this controller acts in. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  readonly onError?: (what: string, error: unknown) => void;
}

/** The pods of an application come and go together: their group's status is written once for a few of them. */
const SETTLE_MS = 200;

/** Runs until the signal is aborted. */
export async function runSecurityGroups(options: SecurityGroupOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, apps = catalogue, scope = () => true, mayAct = () => true } = options;
  const onError = options.onError ?? (() => undefined);
  const groupUse = stores.use(SecurityGroup);
  const podUse = stores.useMetadata(Pod);
  const policyUse = stores.use(CiliumNetworkPolicy, { labelSelector: `${MARKER}=true` });
  const baselineUses = BASELINE.map((name) =>
    stores.use(CiliumNetworkPolicy, { fieldSelector: `metadata.name=${name}` }),
  );
  const source = sourceOf(apps);
  const applicationUses = new Map<string, StoreUse<KubeObject>>();
  const applications = new Map<string, Store<KubeObject>>();
  const [groups, pods, policies] = [groupUse.store, podUse.store, policyUse.store];
  const uses = [groupUse, podUse, policyUse, ...baselineUses];
  const facts: FactStores = {
    groups,
    pods,
    baseline: baselineUses.map(({ store }) => store),
    applications,
  };
  addIndexes(groups, pods);
  const fights = new Fights();
  const makers = new Makers();

  const queue = workQueue({ world, concurrency: 8, groupOf: (key) => key.split("/")[1] ?? "", work, onError });
  const keyOf = (what: "group" | "pod", { metadata }: KubeObject): string =>
    `${what}/${metadata.namespace ?? ""}/${metadata.name}`;
  let isReady = false;

  async function work(key: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    if (!isReady) await Promise.all([...uses, ...applicationUses.values()].map(({ store }) => store.ready(signal)));
    isReady = true;
    const [what, namespace = "", name = ""] = key.split("/");
    if (what === "admission") {
      await keepAtAdmission(client, signal);
      return { is: "done" };
    }
    return what === "pod" ? workPod(namespace, name) : workGroup(namespace, name);
  }

  async function workPod(namespace: string, name: string): Promise<Outcome> {
    const pod = pods.get(name, namespace);
    if (pod === undefined || pod.metadata.deletionTimestamp !== undefined) return { is: "done" };
    const application = makers.applicationOf(pod);
    const attached =
      application === undefined
        ? undefined
        : groups
            .lookup(BY_ATTACHMENT, applicationKey(namespace, application))
            .filter((group) => takesMembers(group, FINALIZER));
    await writeMembership(
      pod,
      groupsOf(pod, attached, (group) => groups.get(group, namespace)),
    );
    return { is: "done" };
  }

  function mayWrite({ metadata: { name, namespace, uid = "" } }: KubeObject, wanted: readonly string[]): boolean {
    const may = fights.mayCorrect(uid, wanted.join(), world.now());
    const fight = "FightingOver: somebody changes its memberships back each time";
    if (!may) onError(`pod ${namespace}/${name}`, new Error(fight));
    else fights.corrected(uid, wanted.join(), world.now());
    return may;
  }

  async function writeMembership(pod: KubeObject, wanted: readonly string[], isLast = false): Promise<void> {
    const write = membershipWrite(Pod, pod, wanted);
    if (write === undefined || !(isLast || mayWrite(pod, wanted))) return;
    const { name, namespace } = pod.metadata;
    const by = { fieldManager: networkManager };
    try {
      const plain = pods.kind;
      const written =
        write.is === "apply"
          ? await client.apply(plain, write.body, by)
          : await client.mergePatch(plain, name, namespace, write.patch, by);
      pods.assume(written);
    } catch (error) {
      // Gone, or another of its name: what became of it is an event.
      if (!isApiError(error, "NotFound", "Conflict", "NamespaceTerminating")) throw error;
    }
  }

  async function workGroup(namespace: string, name: string): Promise<Outcome> {
    const group = groups.get(name, namespace);
    if (group === undefined) {
      // Gone without our say: no finalizer was there yet, or somebody was allowed to take it off.
      for (const pod of pods.lookup(BY_GROUP, groupKey(namespace, name))) queue.add(keyOf("pod", pod));
      return { is: "done" };
    }
    if (group.metadata.deletionTimestamp !== undefined) return letGo(group);
    if (group.metadata.finalizers?.includes(FINALIZER) !== true) {
      const finalizers = [...(group.metadata.finalizers ?? []), FINALIZER];
      return patchFinalizers(group, finalizers);
    }
    const verdict = await keepPolicy(group, { client, world, policies, fights });
    await report(group, statusOf(group, { verdict, ...factsOf(group, facts) }, new Date(world.now()).toISOString()));
    return verdict.reason === "PolicyNameTaken" ? { is: "again", after: 60_000 } : { is: "done" };
  }

  /** The event of the change, or of what was faster, brings the group here again. */
  async function patchFinalizers({ metadata }: Group, finalizers: readonly string[]): Promise<Outcome> {
    const { name, namespace, resourceVersion } = metadata;
    try {
      groups.assume(
        await client.mergePatch(SecurityGroup, name, namespace, { metadata: { resourceVersion, finalizers } }),
      );
    } catch (error) {
      if (isApiError(error, "Conflict")) return { is: "again", after: 50 };
      if (!isApiError(error, "NotFound")) throw error;
    }
    return { is: "done" };
  }

  /** First no pod carries the label, then the policy goes, then the group. */
  async function letGo(group: Group): Promise<Outcome> {
    const { name, namespace = "", finalizers = [] } = group.metadata;
    if (!finalizers.includes(FINALIZER)) return { is: "done" };
    const labelSelector = `${MEMBERSHIP}${name}`;
    for (const pod of (await client.listMetadata(Pod, { namespace, labelSelector, signal })).items) {
      const others = membershipsIn(pod.metadata.labels).filter((each) => each !== name);
      await writeMembership(pod, others, true);
    }
    const left = await client.listMetadata(Pod, { namespace, labelSelector, signal });
    if (left.items.length > 0) return { is: "again", after: 100 };
    await removePolicy(group);
    return patchFinalizers(
      group,
      finalizers.filter((each) => each !== FINALIZER),
    );
  }

  async function removePolicy({ metadata }: Group): Promise<void> {
    if (policies.state.is === "unserved") return;
    const policy = await client.get(CiliumNetworkPolicy, metadata.name, metadata.namespace);
    const isOurs = policy?.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true;
    const uid = policy?.metadata.uid;
    if (!isOurs || uid === undefined) return;
    await client.delete(CiliumNetworkPolicy, metadata.name, metadata.namespace, { uid });
  }

  async function report(group: Group, status: Status): Promise<void> {
    if (canonical(group.status ?? {}) === canonical(status)) return;
    const { name, namespace, uid } = group.metadata;
    const patch = { metadata: { uid }, status };
    try {
      groups.assume(await client.mergePatch(SecurityGroup, name, namespace, patch, { subresource: "status" }));
    } catch (error) {
      // Gone meanwhile, or another of its name.
      if (!isApiError(error, "NotFound", "Conflict")) throw error;
    }
  }

  /** Groups whose status depends on something of a namespace: an application's key, or another group's. */
  function wakeReferring(key: string): void {
    if (!groups.hasSynced) return;
    for (const group of groups.lookup(BY_REFERENCE, key)) queue.addAfter(keyOf("group", group), SETTLE_MS);
  }

  function onGroup(change: Change<Group>): void {
    const { object } = change;
    const previous = change.type === "modified" ? change.previous : undefined;
    queue.add(keyOf("group", object));
    const isNews = change.type !== "modified" || groupFacts(object) !== groupFacts(change.previous);
    if (!isNews || !pods.hasSynced) return;
    const touched = new Set([...attachmentsOf(object), ...(previous === undefined ? [] : attachmentsOf(previous))]);
    for (const each of touched) for (const pod of pods.lookup(BY_APPLICATION, each)) queue.add(keyOf("pod", pod));
    const key = groupKey(placeOf(object), object.metadata.name);
    for (const pod of pods.lookup(BY_GROUP, key)) queue.add(keyOf("pod", pod));
    wakeReferring(key);
  }

  function onPod(change: Change<KubeObject>): void {
    const { object } = change;
    const previous = change.type === "modified" ? change.previous : undefined;
    if (previous !== undefined && podFacts(previous) === podFacts(object)) return;
    makers.learn(object);
    if (change.type === "deleted") fights.forget(object.metadata.uid ?? "");
    else queue.add(keyOf("pod", object));
    for (const each of previous === undefined ? [object] : [previous, object]) {
      for (const key of groupsOfPod(each)) {
        queue.addAfter(`group/${key}`, SETTLE_MS);
        wakeReferring(key);
      }
      for (const key of applicationOfPod(each)) wakeReferring(key);
    }
  }

  const inScope =
    <T extends KubeObject>(handler: (change: Change<T>) => void) =>
    (change: Change<T>): void => {
      if (scope(placeOf(change.object))) handler(change);
    };
  groups.subscribe(inScope(onGroup));
  pods.subscribe(inScope(onPod));
  policies.subscribe(inScope(({ object }) => queue.add(keyOf("group", object))));
  const wakeAll = (namespace?: string): void => {
    if (!groups.hasSynced) return;
    for (const group of groups.list(namespace))
      if (scope(placeOf(group))) queue.addAfter(keyOf("group", group), SETTLE_MS);
  };
  for (const { store } of baselineUses) store.subscribe(inScope(({ object }) => wakeAll(placeOf(object))));
  policies.onState(() => wakeAll());
  /** The kinds that are defined now; those that came later are followed from then on. */
  function followKinds(): void {
    const wanted = new Map(source.list().map((app) => [`${app.group}/${app.kind}`, app]));
    for (const [key, app] of wanted) {
      if (applicationUses.has(key)) continue;
      const use = stores.use<KubeObject>(kindOfApp(app));
      applicationUses.set(key, use);
      use.store
        .ready(signal)
        .then(() => applications.set(key, use.store))
        .catch(() => undefined); // ended
      const { group: apiGroup, kind } = app;
      use.store.subscribe(
        inScope(({ type, object }) => {
          if (type === "modified") return;
          wakeReferring(applicationKey(placeOf(object), { apiGroup, kind, name: object.metadata.name }));
        }),
      );
    }
    for (const [key, use] of applicationUses) {
      if (wanted.has(key)) continue;
      applicationUses.delete(key);
      applications.delete(key);
      use.release();
    }
  }
  followKinds();
  const leave = source.onChange(followKinds);
  queue.add("admission");
  try {
    await queue.run(signal);
  } finally {
    leave();
    for (const { release } of [...uses, ...applicationUses.values()]) release();
  }
}
