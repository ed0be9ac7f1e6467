/**
 * A parity case as its file says it. The format is described in the README beside the cases.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/kube/json.ts";
import type { UnknownObject } from "../../src/kube/object.ts";
import type { Json } from "../../src/sdk/context.ts";

export interface TextHash {
  readonly path: string;
  readonly pattern: string;
}

/** One of the relations, with the pointer of the other value. */
export interface VolatileRelation {
  readonly path: string;
  readonly equals?: string;
  readonly sha256hexOf?: string;
  readonly base64Of?: string;
  readonly contains?: string;
}

export interface ParityCase {
  readonly app: string;
  readonly kind: string;
  readonly case: string;
  readonly chart: { readonly name: string; readonly version: string };
  readonly release: { readonly name: string; readonly namespace: string; readonly isUpgrade?: boolean };
  readonly apis: readonly string[];
  readonly values: unknown;
  readonly cluster: Readonly<Record<string, Json>>;
  readonly namespace: Readonly<Record<string, string>>;
  readonly existing: readonly UnknownObject[];
  readonly objects: readonly UnknownObject[];
  readonly expectError?: string;
  readonly volatile: readonly string[];
  readonly volatileShape: Readonly<Record<string, string>>;
  readonly volatileRelations: readonly VolatileRelation[];
  readonly textHash: readonly TextHash[];
  readonly longText: readonly string[];
  readonly helmOnly: readonly string[];
}

/** What a file may leave out. */
interface CaseFile
  extends Omit<
    ParityCase,
    "apis" | "volatile" | "volatileShape" | "volatileRelations" | "textHash" | "longText" | "helmOnly"
  > {
  readonly capabilities: { readonly apiVersions: readonly string[] };
  readonly volatile?: readonly string[];
  readonly volatileShape?: Readonly<Record<string, string>>;
  readonly volatileRelations?: readonly VolatileRelation[];
  readonly textHash?: readonly TextHash[];
  readonly longText?: readonly string[];
  readonly helmOnly?: readonly string[];
}

const parts: Readonly<Record<string, (value: unknown) => boolean>> = {
  app: (value) => typeof value === "string",
  kind: (value) => typeof value === "string",
  case: (value) => typeof value === "string",
  chart: (value) => isRecord(value) && typeof value["version"] === "string",
  release: (value) => isRecord(value) && typeof value["name"] === "string" && typeof value["namespace"] === "string",
  capabilities: (value) => isRecord(value) && Array.isArray(value["apiVersions"]),
  cluster: isRecord,
  namespace: isRecord,
  existing: Array.isArray,
  objects: Array.isArray,
};

function isCaseFile(value: unknown): value is CaseFile {
  return isRecord(value) && Object.entries(parts).every(([name, fits]) => fits(value[name]));
}

/** Reads one case; throws when the text is none. */
export function parseCase(text: string, file: string): ParityCase {
  const value: unknown = JSON.parse(text);
  if (!isCaseFile(value)) throw new Error(`${file} is no parity case: a field is missing or of the wrong type`);
  return {
    ...value,
    apis: value.capabilities.apiVersions,
    volatile: value.volatile ?? [],
    volatileShape: value.volatileShape ?? {},
    volatileRelations: value.volatileRelations ?? [],
    textHash: value.textHash ?? [],
    longText: value.longText ?? [],
    helmOnly: value.helmOnly ?? [],
  };
}

/** All cases of a directory, `<app>/<case>.json`, in order of their names. Undefined when there is no such directory. */
export function loadCases(directory: string): readonly ParityCase[] | undefined {
  if (!existsSync(directory)) return undefined;
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .flatMap((app) =>
      readdirSync(join(directory, app))
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => join(directory, app, name)),
    )
    .map((file) => parseCase(readFileSync(file, "utf8"), file));
}
