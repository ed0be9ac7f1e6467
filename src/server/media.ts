/**
 * The form in which a client wants its answer: whole objects, tables or metadata only, as JSON or YAML.
 */
import { badRequest, StatusError } from "./status.ts";

export interface Media {
  readonly form: "object" | "table" | "metadata";
  readonly yaml: boolean;
  /** For tables. */
  readonly include: "None" | "Metadata" | "Object";
}

interface Accepted {
  readonly type: string;
  readonly as: string;
  readonly version: string;
  readonly quality: number;
}

function accepted(part: string): Accepted {
  const [type = "", ...parameters] = part.split(";").map((one) => one.trim());
  const values = new Map(
    parameters.map((one): [string, string] => {
      const [name = "", value = ""] = one.split("=");
      return [name.toLowerCase(), value];
    }),
  );
  return {
    type: type.toLowerCase(),
    as: values.get("as") ?? "",
    version: values.get("v") ?? "",
    quality: Number(values.get("q") ?? 1),
  };
}

const forms: ReadonlyMap<string, Media["form"]> = new Map([
  ["", "object"],
  ["Table", "table"],
  ["PartialObjectMetadata", "metadata"],
  ["PartialObjectMetadataList", "metadata"],
]);

const types = new Map([
  ["application/json", false],
  ["application/*", false],
  ["*/*", false],
  ["application/yaml", true],
]);

/**
 * The first form of the Accept header that we can give.
 * @throws StatusError `NotAcceptable` when there is none
 */
export function mediaOf(accept: string | undefined, query: URLSearchParams): Media {
  const include = query.get("includeObject") ?? "Metadata";
  if (include !== "None" && include !== "Metadata" && include !== "Object" && include !== "") {
    throw badRequest(`includeObject: ${JSON.stringify(include)} is none of None, Metadata, Object`);
  }
  const wanted = (accept === undefined || accept.trim() === "" ? "*/*" : accept).split(",").map(accepted);
  for (const { type, as, version } of wanted.sort((a, b) => b.quality - a.quality)) {
    const yaml = types.get(type);
    const form = forms.get(as);
    if (yaml === undefined || form === undefined || (as !== "" && version !== "v1")) continue;
    return { form, yaml, include: include === "" ? "Metadata" : include };
  }
  throw new StatusError("NotAcceptable", "only application/json and application/yaml are served");
}
