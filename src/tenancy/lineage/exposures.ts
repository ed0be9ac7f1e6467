/**
 * What each application exposes now, worked out once for each version of it and of its surroundings.
 */
import { valueAt } from "../../kube/json.ts";
import type { ContextSource } from "../../reconcile/context.ts";
import { canonical } from "../../reconcile/digest.ts";
import type { App, Exposure } from "../../sdk/app.ts";
import type { Instance } from "./instances.ts";

/** An exposure, or that it cannot be told: the surroundings are not known yet, or the application's spec is refused. */
export type Answer = Exposure | undefined;

interface Known {
  /** What it was worked out of: definition and spec. */
  readonly app: App;
  readonly generation: number | undefined;
  readonly answer: Answer;
  readonly text: string;
}

export class Exposures {
  readonly #contexts: ContextSource;
  readonly #known = new Map<string, Known>();
  /** What `changed` last said of each. */
  readonly #told = new Map<string, string>();

  constructor(contexts: ContextSource) {
    this.#contexts = contexts;
  }

  /** Waits only for the first lists of what contexts are made of. */
  async of(instance: Instance, signal: AbortSignal): Promise<Answer> {
    const known = this.#known.get(instance.uid);
    const isCurrent = known?.app === instance.app && known.generation === instance.object.metadata.generation;
    if (isCurrent) return known.answer;
    return (await this.#workOut(instance, signal)).answer;
  }

  /** Works it out anew; whether it is another one than when this was last asked. True the first time. */
  async changed(instance: Instance, signal: AbortSignal): Promise<boolean> {
    const { text } = await this.#workOut(instance, signal);
    const before = this.#told.get(instance.uid);
    this.#told.set(instance.uid, text);
    return text !== before;
  }

  forget(uid: string): void {
    this.#known.delete(uid);
    this.#told.delete(uid);
  }

  async #workOut(instance: Instance, signal: AbortSignal): Promise<Known> {
    const answer = await this.#ask(instance, signal);
    const known = {
      app: instance.app,
      generation: instance.object.metadata.generation,
      answer,
      text: canonical(shown(answer)),
    };
    this.#known.set(instance.uid, known);
    return known;
  }

  async #ask({ app, name, namespace, object }: Instance, signal: AbortSignal): Promise<Answer> {
    const context = await this.#contexts.contextOf(namespace, signal);
    if (context.is !== "known") return undefined;
    try {
      return app.instance({ name, namespace, spec: valueAt(object, "spec") }, context.context).exposure;
    } catch {
      // Its own condition tells what is wrong with the spec; until it is right nothing is shown or hidden anew.
      return undefined;
    }
  }
}

/** What of an exposure decides what is seen. */
function shown(answer: Answer): unknown {
  if (answer === undefined) return "unknown";
  const { secrets = [], services = [], ingresses = [], labelled = {}, selected = {} } = answer;
  return [secrets, services, ingresses, labelled, selected];
}
