/**
 * Pages of a list that is in memory. Later pages show what is there when they are read; their version is the first page's,
 * so that a watch from it brings whatever changed in between.
 */
import { isRecord } from "../../kube/json.ts";
import type { Listing } from "../resource.ts";
import { badRequest } from "../status.ts";
import { placeOf, type ViewObject } from "./view.ts";

/** Where the next page begins. */
export interface Position {
  readonly version: string;
  /** {@link placeOf} the last object of the page before. */
  readonly after: string;
}

export function encodePosition({ version, after }: Position): string {
  return Buffer.from(JSON.stringify({ v: version, after })).toString("base64url");
}

/** @throws StatusError `BadRequest` for a token that is not ours */
export function decodePosition(token: string): Position {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, "base64url").toString("utf8"));
    if (
      isRecord(value) &&
      typeof value["after"] === "string" &&
      typeof value["v"] === "string" &&
      /^\d+$/.test(value["v"])
    ) {
      return { version: value["v"], after: value["after"] };
    }
  } catch {
    // Refused below, as any other text that is no token.
  }
  throw badRequest("continue: not a token that this server gave");
}

/** @param items all that are selected, in the order of lists */
export function page(
  items: readonly ViewObject[],
  limit: number,
  start: Position | undefined,
  version: string,
): Listing {
  const left = start === undefined ? items : items.filter((item) => placeOf(item) > start.after);
  const resourceVersion = start?.version ?? version;
  const last = limit === 0 ? undefined : left[limit - 1];
  if (last === undefined || left.length <= limit) return { items: left, resourceVersion };
  return {
    items: left.slice(0, limit),
    resourceVersion,
    continue: encodePosition({ version: resourceVersion, after: placeOf(last) }),
    remainingItemCount: left.length - limit,
  };
}
