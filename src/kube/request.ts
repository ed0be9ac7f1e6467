/**
 * One request to the API server as a value, the counters of what was sent, and the hook by which tests interfere.
 */
import type { ApiErrorCode } from "./errors.ts";
import type { AnyKind } from "./object.ts";

/** In Kubernetes' terms. `apply` is a server-side apply, `raw` whatever is outside the resource model. */
export type Verb = "get" | "list" | "watch" | "create" | "update" | "apply" | "patch" | "delete" | "raw";

/** What is asked of the API server. */
export interface Request {
  readonly verb: Verb;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Whether something may be stored: false for reads and dry runs. */
  readonly write: boolean;
  readonly group?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** JSON. */
  readonly body?: string;
  readonly contentType?: string;
  readonly accept?: string;
}

/** What a test makes of a request. */
export type Interference =
  /** The request is not sent. Default code: `Network`. */
  | { readonly do: "fail"; readonly code?: ApiErrorCode }
  /** The request is carried out, its answer lost: a `Network` error with `ambiguous`. */
  | { readonly do: "loseAnswer" }
  /** The request is sent after so many milliseconds. */
  | { readonly do: "delay"; readonly ms: number }
  /** The client dies here, before or after the request is carried out: this call and all others, running or later, fail. */
  | { readonly do: "kill"; readonly when: "before" | "after" };

/**
 * Called before each request is sent, retries included. `writes` counts the client's writes so far, this one included.
 * Returning undefined lets the request pass.
 */
export type Intercept = (
  request: Request,
  writes: number,
) => Interference | undefined | Promise<Interference | undefined>;

/** What a test makes of a watch event before it is decoded for the caller. */
export type InterceptEvent = (event: {
  readonly group: string;
  readonly kind: string;
  readonly type: "added" | "modified" | "deleted" | "bookmark" | "synced";
}) => "pass" | "drop" | "disconnect" | "expire";

/** One request that ended, for metrics. `status` is 0 when no answer came. */
export interface RequestOutcome {
  readonly request: Request;
  readonly status: number;
  readonly milliseconds: number;
}

/** How many requests were sent, retries included. `except` leaves kinds out (Leases, in most counts). */
export interface RequestCounters {
  /** Requests that may have stored something; dry runs are not among them. */
  writes(except?: readonly AnyKind[]): number;
  /** Everything else: reads, watches begun, dry runs. */
  reads(except?: readonly AnyKind[]): number;
  byVerb(except?: readonly AnyKind[]): Readonly<Partial<Record<Verb, number>>>;
}

interface Count {
  readonly verb: Verb;
  readonly kind: string;
  readonly write: boolean;
  count: number;
}

const kindKey = (group: string | undefined, kind: string | undefined): string => `${kind ?? ""}.${group ?? ""}`;

/** Counters and the function that feeds them. */
export function requestCounters(): { readonly counters: RequestCounters; count(request: Request): void } {
  const counts = new Map<string, Count>();
  const selected = (except: readonly AnyKind[] = []): readonly Count[] => {
    const without = new Set(except.map((kind) => kindKey(kind.group, kind.kind)));
    return [...counts.values()].filter((entry) => !without.has(entry.kind));
  };
  const sum = (entries: readonly Count[]): number => entries.reduce((total, entry) => total + entry.count, 0);
  return {
    counters: {
      writes: (except) => sum(selected(except).filter((entry) => entry.write)),
      reads: (except) => sum(selected(except).filter((entry) => !entry.write)),
      byVerb: (except) => {
        const totals: Partial<Record<Verb, number>> = {};
        for (const { verb, count } of selected(except)) totals[verb] = (totals[verb] ?? 0) + count;
        return totals;
      },
    },
    count(request) {
      const kind = kindKey(request.group, request.kind);
      const key = `${request.verb} ${kind} ${request.write}`;
      const entry = counts.get(key);
      if (entry === undefined) counts.set(key, { verb: request.verb, kind, write: request.write, count: 1 });
      else entry.count += 1;
    },
  };
}
