/**
 * Serves the kinds of ApplicationDefinitions: their CustomResourceDefinitions, roles and policies. Everything follows from
 * the definitions that are there; a process that starts anew finds what is missing.
 */
import { ApplicationDefinition, type Definition } from "../../contracts/application-definition.ts";
import { kindByGroupKind } from "../../contracts/index.ts";
import type { Client } from "../../kube/client.ts";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../kube/core-kinds.ts";
import { isApiError } from "../../kube/errors.ts";
import { CustomResourceDefinition } from "../../kube/kinds/extension.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Stores, StoreUse } from "../../kube/stores.ts";
import { timestamp, type World } from "../../kube/world.ts";
import type { App } from "../../sdk/app.ts";
import { DEFINITION_LABEL } from "../../sdk/external/external-app.ts";
import { applyBase, baseObjects, isPart } from "../apply-base.ts";
import { established, NotEstablished } from "../definitions.ts";
import { accessObjects, policyName } from "./access.ts";
import type { Definitions } from "./definitions.ts";
import { type Leaving, leave, servedKind } from "./leave.ts";
import { misfits } from "./misfits.ts";
import { type Standing, writeStanding } from "./status.ts";

/** Keeps a definition until nothing of its kind is left. */
export const DEFINITION_FINALIZER = "platform.cozystack.io/application-definition";

export interface ExternalOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly definitions: Definitions;
  readonly mayAct?: () => boolean;
  readonly onError?: (what: string, error: unknown) => void;
}

const ACCESS = "access";
/** A name that somebody else holds, or a refusal that another version of the API server would not give. */
const RETRY_MS = 60_000;

/** Runs until the signal is aborted. */
export async function runExternalApplications(options: ExternalOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, definitions, mayAct = () => true, onError = () => undefined } = options;
  const { store } = definitions;
  const calls = { client, world, signal };
  /** Stores of the kinds whose definition waits to go: each application less is an event. */
  const awaited = new Map<string, StoreUse<KubeObject>>();
  const queue = workQueue({ world, concurrency: 4, work, onError });

  async function work(name: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    await definitions.ready(signal);
    if (name === ACCESS) return keepAccess();
    const definition = store.get(name);
    if (definition === undefined) {
      awaited.get(name)?.release();
      awaited.delete(name);
      return { is: "done" };
    }
    return definition.metadata.deletionTimestamp === undefined ? serve(definition) : letGo(definition);
  }

  const report = (definition: Definition, standing: Standing): Promise<void> =>
    writeStanding(client, store, definition, standing, timestamp(world));

  async function serve(definition: Definition): Promise<Outcome> {
    const { name } = definition.metadata;
    const verdict = definitions.verdictOf(name);
    const [other] = verdict?.problems ?? [];
    if (verdict?.app === undefined) {
      await report(definition, { served: false, ...(other === undefined ? {} : { problem: other }) });
      return { is: "done" };
    }
    const live = await client.get(CustomResourceDefinition, crdName(verdict.app));
    const holder = live?.metadata.labels?.[DEFINITION_LABEL];
    const isForeign =
      live !== undefined && (holder === undefined || (holder !== name && store.get(holder) !== undefined));
    if (isForeign) {
      const message = `spec.application.plural: there is a CustomResourceDefinition ${live.metadata.name} that is not of this definition; remove it or choose another name`;
      await report(definition, { served: false, problem: { reason: "PluralTaken", message } });
      return { is: "again", after: RETRY_MS };
    }
    if (verdict.schemaProblem !== undefined) {
      await report(definition, { served: live !== undefined, problem: verdict.schemaProblem });
      return { is: "done" };
    }
    if (!(await hold(definition))) return { is: "again", after: 50 };
    const problem = await keepDefinition(verdict.app, live);
    const told = problem ?? other;
    await report(definition, {
      served: problem === undefined || live !== undefined,
      ...(told === undefined ? {} : { problem: told }),
    });
    queue.add(ACCESS);
    return problem === undefined ? { is: "done" } : { is: "again", after: RETRY_MS };
  }

  /** The finalizer comes before the kind: whoever deletes the definition cannot leave applications without it. */
  async function hold({ metadata }: Definition): Promise<boolean> {
    const { name, resourceVersion, finalizers = [] } = metadata;
    if (finalizers.includes(DEFINITION_FINALIZER)) return true;
    const patch = { metadata: { resourceVersion, finalizers: [...finalizers, DEFINITION_FINALIZER] } };
    try {
      store.assume(await client.mergePatch(ApplicationDefinition, name, undefined, patch));
      return true;
    } catch (error) {
      if (isApiError(error, "NotFound", "Conflict")) return false;
      throw error;
    }
  }

  async function keepDefinition(app: App, live: CustomResourceDefinition | undefined): Promise<Standing["problem"]> {
    const wanted = app.crd();
    if (live !== undefined && !isPart(wanted.spec, live.spec)) {
      const found = await misfits(client, app);
      if (found !== undefined) return { reason: "InstancesDoNotFit", message: found };
    }
    try {
      await applyBase([{ kind: CustomResourceDefinition, object: wanted }], calls);
      await established(client, [wanted.metadata.name], world, signal);
      return undefined;
    } catch (error) {
      if (isApiError(error, "Invalid", "BadRequest")) {
        return {
          reason: "SchemaRefused",
          message: `spec.application.openAPISchema: the API server refuses it: ${error.message}`,
        };
      }
      if (error instanceof NotEstablished)
        return { reason: "NamesNotAccepted", message: await whyNot(wanted.metadata.name, error) };
      throw error;
    }
  }

  async function whyNot(name: string, error: NotEstablished): Promise<string> {
    const live = await client.get(CustomResourceDefinition, name);
    const refused = live?.status?.conditions?.find(
      ({ type, status }) => type === "NamesAccepted" && status === "False",
    );
    return `spec.application: ${refused?.message ?? error.message}`;
  }

  async function letGo(definition: Definition): Promise<Outcome> {
    const { name, finalizers = [] } = definition.metadata;
    if (!finalizers.includes(DEFINITION_FINALIZER)) return { is: "done" };
    const kind = servedKind(definition);
    if (!awaited.has(name)) {
      const use = stores.use<KubeObject>(kind);
      awaited.set(name, use);
      use.store.subscribe(({ type }) => {
        if (type === "deleted") queue.add(name);
      });
    }
    // Nobody may order one between our look and the kind's end.
    await keepAccess();
    const left: Leaving = await leave(definition, kind, calls);
    if (left.is === "used") {
      const message = `applications exist and go on as they are (${left.count}): ${left.names}; delete them, and the definition goes with the last`;
      await report(definition, { served: true, instances: left.count, problem: { reason: "InUse", message } });
      return { is: "done" };
    }
    if (left.is === "notYet") {
      await report(definition, { served: true, problem: { reason: "Leaving", message: "the kind is being removed" } });
      return { is: "again", after: 200 };
    }
    const { uid, resourceVersion } = definition.metadata;
    const kept = finalizers.filter((each) => each !== DEFINITION_FINALIZER);
    try {
      await client.mergePatch(ApplicationDefinition, name, undefined, {
        metadata: { uid, resourceVersion, finalizers: kept },
      });
    } catch (error) {
      if (isApiError(error, "Conflict")) return { is: "again", after: 50 };
      if (!isApiError(error, "NotFound")) throw error;
    }
    return { is: "done" };
  }

  async function keepAccess(): Promise<Outcome> {
    const kinds = store.list().flatMap((definition) => {
      const app = definitions.verdictOf(definition.metadata.name)?.app;
      return app === undefined ? [] : [{ app, leaving: definition.metadata.deletionTimestamp !== undefined }];
    });
    await applyBase(baseObjects(accessObjects(kinds), kindByGroupKind), calls);
    if (kinds.length > 0) return { is: "done" };
    for (const kind of [ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicy])
      await client.delete(kind, policyName);
    return { is: "done" };
  }

  const stop = store.subscribe(() => {
    queue.add(ACCESS);
    // What one takes or frees decides on others too.
    if (store.hasSynced) for (const { metadata } of store.list()) queue.add(metadata.name);
  });
  const stopped = store.subscribe(({ object }) => queue.add(object.metadata.name));
  try {
    await queue.run(signal);
  } finally {
    stop();
    stopped();
    for (const { release } of awaited.values()) release();
  }
}

const crdName = ({ plural, group }: App): string => `${plural}.${group}`;
