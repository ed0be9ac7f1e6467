/**
 * Option: the choices of a dropdown. Only the sources that are asked for are read, each from memory once it was asked for
 * the first time, and one that cannot be read holds up no other. A watch tells every change.
 */
import type { World } from "../../../kube/world.ts";
import type { ReadOptions } from "../../request-options.ts";
import {
  apiVersion,
  type Listing,
  type NamedRequest,
  type Resource,
  type ResourceRequest,
  type ServedEvent,
  subjectOf,
} from "../../resource.ts";
import { type Selects, selection } from "../../selectors.ts";
import { notFound, StatusError } from "../../status.ts";
import { nameColumn } from "../../table.ts";
import { newest } from "../../view/journal.ts";
import { decodePosition, page } from "../../view/pages.ts";
import { byPlace, type ViewObject } from "../../view/view.ts";
import { itemsOf, names, optionOf } from "./object.ts";
import type { OpenSource, OpenSources } from "./open-source.ts";
import { watchOptions } from "./watch.ts";

/** Milliseconds that a source may take to be read for the first time. */
const patience = 3000;

/** Whether the source is ready in time. */
async function readyInTime(open: OpenSource, signal: AbortSignal): Promise<boolean> {
  if (open.ready) return true;
  const limit = AbortSignal.timeout(patience);
  try {
    await open.settled(AbortSignal.any([signal, limit]));
    return true;
  } catch (error) {
    if (limit.aborted) return false;
    throw error;
  }
}

/** The sources whose Options are selected. */
function chosen(sources: OpenSources, selects: Selects, namespace: string | undefined): readonly OpenSource[] {
  const place = namespace === undefined ? {} : { namespace };
  return sources.sources
    .filter(({ name }) => selects({ ...names, apiVersion: apiVersion(names), metadata: { name, ...place } }))
    .map((source) => sources.open(source));
}

const selects = ({ labelSelector, fieldSelector }: ReadOptions): Selects =>
  selection(labelSelector, fieldSelector, names.plural);

async function get(sources: OpenSources, { name, namespace, signal }: NamedRequest): Promise<ViewObject> {
  const source = sources.sources.find((one) => one.name === name);
  if (source === undefined) throw notFound(subjectOf(names, name));
  const open = sources.open(source);
  if (await readyInTime(open, signal)) return optionOf(open, namespace);
  throw new StatusError("ServiceUnavailable", `what ${name} is made from cannot be read at the moment`, {
    retryAfterSeconds: 5,
  });
}

async function list(sources: OpenSources, request: ResourceRequest, options: ReadOptions): Promise<Listing> {
  const { namespace, signal } = request;
  const start = options.continue === "" ? undefined : decodePosition(options.continue);
  const all = chosen(sources, selects(options), namespace);
  const ready = await Promise.all(all.map((open) => readyInTime(open, signal)));
  const shown = all.filter((_, index) => ready[index] === true);
  const missing = all.filter((_, index) => ready[index] !== true).map(({ source }) => source.name);
  if (missing.length > 0) request.warn(`cannot be read at the moment: ${missing.join(", ")}`);
  const version = shown.reduce((latest, open) => newest(open.version, latest), "0");
  return page(shown.map((open) => optionOf(open, namespace)).sort(byPlace), options.limit, start, version);
}

export function options(sources: OpenSources, world: World): Resource {
  const text = (description: string) => ({ type: "string", description }) as const;
  return {
    names,
    verbs: ["get", "list", "watch"],
    columns: [
      nameColumn,
      {
        name: "Items",
        type: "integer",
        description: "Number of choices.",
        cell: (object) => itemsOf(object).length,
      },
    ],
    schema: {
      type: "object",
      description: "The choices for a field of an application.",
      properties: {
        spec: {
          type: "object",
          description: "What can be chosen.",
          properties: {
            items: {
              type: "array",
              description: "The choices, sorted by value.",
              items: {
                type: "object",
                required: ["value"],
                properties: {
                  value: text("What is written into the field."),
                  label: text("What is shown, where it is not the value."),
                  description: text("More about the choice."),
                  default: { type: "boolean", description: "Whether it is chosen unless another one is." },
                },
              },
            },
          },
        },
      },
    },
    operations: {
      get: (request) => get(sources, request),
      list: (request, given) => list(sources, request, given),
      watch: async (request, given): Promise<AsyncIterable<ServedEvent>> =>
        watchOptions(chosen(sources, selects(given), request.namespace), request, given, world),
    },
  };
}
