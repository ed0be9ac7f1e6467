/**
 * What is wrong with an object, whoever found it: where it was written, the object, its fields, the limits, and the way out.
 * The API server wraps the same in its own machinery: `apply X: x "a" is forbidden: policy 'b' with binding 'b' denied ...`.
 */
import { type ApiError, type ApiErrorCode, CozystackError, type ErrorCause, isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { Refusal } from "../sdk/errors.ts";
import { noQuantity, quantityPattern } from "../sdk/quantity.ts";
import { volumeMessage, volumePattern } from "../sdk/volume-size.ts";
import type { Document } from "./documents.ts";

/** An object that an application or the API server refuses. */
export class ObjectRefusedError extends CozystackError {
  /** What is wrong, without the object and its place. */
  readonly said: string;

  constructor(place: string, said: string, error: CozystackError, remedy: string) {
    super(error.code, `${place}: ${said}`, remedy, { cause: error });
    this.said = said;
  }
}

/** One thing that is wrong. */
interface Wrong {
  readonly field?: string;
  readonly message: string;
  /** Where the code's own remedy says less. */
  readonly remedy?: string;
}

/** Answers that are about the object, not about the way to the API server. */
const aboutObject: ReadonlySet<ApiErrorCode> = new Set<ApiErrorCode>([
  "AlreadyExists",
  "BadRequest",
  "Conflict",
  "Forbidden",
  "Invalid",
  "NamespaceTerminating",
  "NotFound",
  "QuotaExceeded",
  "TooLarge",
]);

/**
 * The error to throw for one that an object met. What is not about the object, such as a connection that was lost, comes back
 * as it is. `document`: where the object was written.
 */
export function refusedObject(object: KubeObject, error: unknown, document?: Document): unknown {
  const wrongs = wrongsOf(error);
  const [first] = wrongs;
  if (first === undefined || !(error instanceof CozystackError)) return error;
  const { name, namespace } = object.metadata;
  const place = `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  const told = wrongs.map(({ field, message }) => (field === undefined ? message : `${field}: ${message}`)).join("; ");
  const at = document === undefined ? "" : `${whereOf(document, first.field)}: `;
  return new ObjectRefusedError(`${at}${place}`, told, error, first.remedy ?? error.remedy);
}

/** With the line of the field, or of the nearest thing above it that was written. */
function whereOf({ where, lineOf }: Document, field: string | undefined): string {
  if (field === undefined) return where;
  const path = [...field.matchAll(/[^.[\]]+/g)].map(([part]) => (/^\d+$/.test(part) ? Number(part) : part));
  return `${where}, line ${lineOf(path)}`;
}

function wrongsOf(error: unknown): readonly Wrong[] {
  if (error instanceof Refusal) {
    return [{ field: error.field, message: error.message.replace(`${error.field}: `, "") }];
  }
  if (!isApiError(error) || !aboutObject.has(error.code)) return [];
  const told = error.causes.filter(isTold).map(wrongOfCause);
  return told.length > 0 ? told : [wrongOfMessage(error)];
}

/** The API server adds that it left rules out because of the other causes. */
function isTold({ message }: ErrorCause): boolean {
  return message !== undefined && !message.includes("some validation rules were not checked");
}

function wrongOfCause({ field = "", message = "" }: ErrorCause): Wrong {
  const quoted = /^Invalid value: ("(?:[^"\\]|\\.)*"|[^\s:]+): /.exec(message)?.[1];
  if (quoted !== undefined && message.includes(quantityPattern)) {
    return { field, ...noQuantity(unquoted(quoted)) };
  }
  if (quoted !== undefined && message.includes(volumePattern)) {
    const value = unquoted(quoted);
    const isQuantity = new RegExp(quantityPattern).test(String(value));
    return { field, ...(isQuantity ? { message: `${quoted}: ${volumeMessage("always")}` } : noQuantity(value)) };
  }
  const plain = withoutRule(message)
    .replace(/^Invalid value: /, "")
    .replace(/^"(?:object|array)": /, "");
  const ofType = /in body (must be of type \w+): "(\w+)"$/.exec(plain);
  const text =
    ofType === null
      ? plain.replace(`: ${field} in body `, " ").replace(`${field} in body `, "")
      : `${ofType[1]}, not ${ofType[2]}`;
  return field === "" ? withField(text) : { field, message: text };
}

function unquoted(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `spec.size: too small` of a rule that names the field itself. */
function withField(text: string): Wrong {
  const found = /^((?:spec|metadata)(?:[.[][^\s:]+)?): (.*)$/s.exec(text);
  return found?.[1] === undefined || found[2] === undefined
    ? { message: text }
    : { field: found[1], message: found[2] };
}

function wrongOfMessage(error: ApiError): Wrong {
  const text = error.message.replace(/^\w+ \S+(?: \S+)?: /, "");
  const namespace = /^namespaces "([^"]+)" not found$/.exec(text)?.[1];
  if (namespace !== undefined) {
    return {
      field: "metadata.namespace",
      message: `there is no namespace ${namespace}`,
      remedy:
        "Order the tenant whose namespace it is (kind Tenant) before or in the same files, or correct the namespace.",
    };
  }
  return withField(withoutRule(text.replace(/^\S+ "[^"]*" is (?:forbidden|invalid): /, "")));
}

function withoutRule(text: string): string {
  return text.replace(
    /^(?:ValidatingAdmissionPolicy .*? denied request|admission webhook .*? denied the request): /,
    "",
  );
}
