/**
 * JSON Patch (RFC 6902). Values are never changed in place.
 */
import { isDeepStrictEqual } from "node:util";
import { isRecord } from "../../kube/json.ts";
import { badRequest, StatusError } from "../status.ts";

/** As the API server's. */
const mostOperations = 10_000;
/** Characters that all copies of a patch may bring, as JSON. */
const mostCopied = 3 * 1024 * 1024;

interface PatchOperation {
  readonly op: string;
  readonly path: readonly string[];
  readonly from?: readonly string[];
  readonly value?: unknown;
}

function pointer(text: unknown, what: string): readonly string[] {
  if (typeof text !== "string" || (text !== "" && !text.startsWith("/")))
    throw badRequest(`json patch: ${what} is no JSON pointer`);
  return text
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function readOperation(value: unknown): PatchOperation {
  if (!isRecord(value) || typeof value["op"] !== "string") throw badRequest("json patch: an operation without op");
  const { op } = value;
  const path = pointer(value["path"], "path");
  if (op === "move" || op === "copy") return { op, path, from: pointer(value["from"], "from") };
  if (op === "remove") return { op, path };
  if (op !== "add" && op !== "replace" && op !== "test")
    throw badRequest(`json patch: no operation ${JSON.stringify(op)}`);
  if (!Object.hasOwn(value, "value")) throw badRequest(`json patch: ${op} without a value`);
  return { op, path, value: value["value"] };
}

/** Messages name places only: values may be a Secret's. */
function fails(op: string, path: readonly string[], why: string): never {
  throw new StatusError("Invalid", `json patch: ${op} at /${path.join("/")}: ${why}`);
}

function at(target: unknown, path: readonly string[], op: string): unknown {
  let value = target;
  for (const key of path) {
    if (Array.isArray(value)) value = value[indexOf(key, value.length - 1, op, path)];
    else if (isRecord(value) && Object.hasOwn(value, key)) value = value[key];
    else return fails(op, path, "there is nothing");
  }
  return value;
}

function indexOf(key: string, most: number, op: string, path: readonly string[]): number {
  if (!/^(?:0|[1-9]\d*)$/.test(key) || Number(key) > most) return fails(op, path, "no such place in the list");
  return Number(key);
}

/** `target` with what `change` makes of the container that holds the last key of the path. */
function changed(
  target: unknown,
  path: readonly string[],
  op: string,
  change: (container: unknown, key: string) => unknown,
  whole = path,
): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return fails(op, whole, "the whole object cannot be meant");
  if (rest.length === 0) return change(target, key);
  if (Array.isArray(target)) {
    const index = indexOf(key, target.length - 1, op, whole);
    return target.with(index, changed(target[index], rest, op, change, whole));
  }
  if (!isRecord(target) || !Object.hasOwn(target, key)) return fails(op, whole, "there is nothing");
  return { ...target, [key]: changed(target[key], rest, op, change, whole) };
}

const add = (target: unknown, path: readonly string[], value: unknown): unknown =>
  path.length === 0
    ? value
    : changed(target, path, "add", (container, key) => {
        if (Array.isArray(container)) {
          const index = key === "-" ? container.length : indexOf(key, container.length, "add", path);
          return container.toSpliced(index, 0, value);
        }
        return isRecord(container) ? { ...container, [key]: value } : fails("add", path, "no object or list");
      });

const remove = (target: unknown, path: readonly string[], op: string): unknown =>
  changed(target, path, op, (container, key) => {
    if (Array.isArray(container)) return container.toSpliced(indexOf(key, container.length - 1, op, path), 1);
    if (!isRecord(container) || !Object.hasOwn(container, key)) return fails(op, path, "there is nothing");
    const { [key]: _, ...rest } = container;
    return rest;
  });

const replace = (target: unknown, path: readonly string[], value: unknown): unknown =>
  path.length === 0
    ? value
    : changed(target, path, "replace", (container, key) => {
        if (Array.isArray(container)) return container.with(indexOf(key, container.length - 1, "replace", path), value);
        if (!isRecord(container) || !Object.hasOwn(container, key)) return fails("replace", path, "there is nothing");
        return { ...container, [key]: value };
      });

function apply(target: unknown, { op, path, from = [], value }: PatchOperation): unknown {
  switch (op) {
    case "add":
      return add(target, path, value);
    case "remove":
      return remove(target, path, op);
    case "replace":
      return replace(target, path, value);
    case "copy":
      return add(target, path, at(target, from, op));
    case "move":
      return add(remove(target, from, op), path, at(target, from, op));
    default:
      return isDeepStrictEqual(at(target, path, op), value) ? target : fails(op, path, "the value is another one");
  }
}

/** @throws StatusError `BadRequest` for what is no patch, `Invalid` for one that does not fit the object */
export function jsonPatch(target: unknown, patch: unknown): unknown {
  if (!Array.isArray(patch)) throw badRequest("json patch: not a list of operations");
  if (patch.length > mostOperations) throw badRequest(`json patch: more than ${mostOperations} operations`);
  let copied = 0;
  return patch.map(readOperation).reduce<unknown>((object, operation) => {
    // A copy of what was copied before doubles it: a few dozen would be more than there is memory.
    if (operation.op === "copy") copied += JSON.stringify(at(object, operation.from ?? [], "copy")).length;
    if (copied > mostCopied) throw badRequest(`json patch: copies of more than ${mostCopied} characters`);
    return apply(object, operation);
  }, target);
}
