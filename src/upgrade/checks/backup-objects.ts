/**
 * P15: what platform backups need, which goes missing while every release is ready.
 */
import { valueAt } from "../../kube/json.ts";
import type { ObjectRef, UnknownObject } from "../../kube/object.ts";
import { imageVersion } from "../versions.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { renderAgain } from "./etcd-adoption.ts";
import { listIn, textIn } from "./fields.ts";
import { type Answer, defineSource, listOf, oneOf, type Reader, read, type Source, valueIn } from "./source.ts";

const strategyGroup = "strategy.backups.cozystack.io";
const className = "cozy-default";
const velero = "cozy-velero";

/** Plurals of strategies by kind. */
const strategies: Readonly<Record<string, string>> = {
  Altinity: "altinities",
  CNPG: "cnpgs",
  Etcd: "etcds",
  FoundationDB: "foundationdbs",
  Job: "jobs",
  MariaDB: "mariadbs",
  MongoDB: "mongodbs",
  Velero: "veleroes",
};

interface Route {
  readonly kind: string;
  readonly name: string;
}

/** Strategies that the default class names, each once. */
function routesOf({ spec }: UnknownObject): readonly Route[] {
  const routes = new Map<string, Route>();
  for (const one of listIn(spec, "strategies")) {
    const ref = valueAt(one, "strategyRef");
    const group = textIn(ref, "apiGroup") ?? strategyGroup;
    const kind = textIn(ref, "kind") ?? "";
    const name = textIn(ref, "name") ?? "";
    if (group === strategyGroup && strategies[kind] !== undefined) routes.set(`${kind}/${name}`, { kind, name });
  }
  return [...routes.values()];
}

const routesSource = oneOf({ group: "backups.cozystack.io", plural: "backupclasses" }, { name: className }, routesOf);

const locationsSource = listOf(
  { group: "velero.io", plural: "backupstoragelocations" },
  ({ metadata }) => metadata.name,
  { namespace: velero, metadataOnly: true },
);

/** What the default class of backups leads to, and whether it is there; undefined where there is no such class. */
interface Backing {
  readonly routes: readonly Route[];
  readonly missing: readonly ObjectRef[];
}

const backingSource: Source<Backing | undefined> = defineSource(
  [
    ...routesSource.reads,
    ...Object.values(strategies).map((plural) => `${plural}.${strategyGroup}`),
    ...locationsSource.reads,
  ],
  async (reader): Promise<Answer<Backing | undefined>> => {
    const answer = await routesSource.answer(reader);
    if (answer.is !== "read") return answer.is === "notServed" ? read(undefined) : answer;
    if (answer.value === undefined) return read(undefined);
    const routes = answer.value;
    const found = await Promise.all(routes.map((route) => strategyMissing(reader, route)));
    for (const one of found) if (one.is === "unreadable") return one;
    const missing = found.flatMap((one) => valueIn(one, undefined) ?? []);
    if (!routes.some(({ kind }) => kind === "Velero")) return read({ routes, missing });
    const locations = await locationsSource.answer(reader);
    if (locations.is === "unreadable") return locations;
    const location: ObjectRef = {
      group: "velero.io",
      kind: "BackupStorageLocation",
      namespace: velero,
      name: className,
    };
    const lacksLocation = locations.is === "read" && !locations.value.includes(className);
    return read({ routes, missing: [...missing, ...(lacksLocation ? [location] : [])] });
  },
);

/** The strategy where it is missing. A kind that nobody serves is not in use here. */
async function strategyMissing(reader: Reader, { kind, name }: Route): Promise<Answer<ObjectRef | undefined>> {
  const answer = await reader.get({ group: strategyGroup, plural: strategies[kind] ?? "" }, name);
  if (answer.is !== "read") return answer;
  return read(answer.value === undefined ? { group: strategyGroup, kind, name } : undefined);
}

/** From this version on Velero has states that an older definition refuses. */
const withQueue = { major: 1, minor: 18 } as const;

/** Whether the definition of Velero's backups takes the state that its newer versions begin with; undefined: no such definition. */
const definitionSource = oneOf(
  { group: "apiextensions.k8s.io", plural: "customresourcedefinitions" },
  { name: "backups.velero.io" },
  (definition): boolean => {
    return listIn(definition, "spec", "versions").some((version) => {
      const status = valueAt(version, "schema", "openAPIV3Schema", "properties", "status");
      const states = valueAt(status, "properties", "phase", "enum");
      return !Array.isArray(states) || states.includes("Queued");
    });
  },
);

/** Whether the Velero that runs needs that state. */
const veleroSource = oneOf(
  { group: "apps", plural: "deployments" },
  { namespace: velero, name: "velero" },
  (deployment): boolean =>
    listIn(deployment, "spec", "template", "spec", "containers").some((container) => {
      const image = textIn(container, "image") ?? "";
      const version = image.includes("/velero:") ? imageVersion(image) : undefined;
      return version !== undefined && version.major === withQueue.major && version.minor >= withQueue.minor;
    }),
);

export const backupObjectsCheck = defineCheck({
  id: "P15",
  title: "Objects that backups need",
  severity: "warning",
  why: "Some objects were left out for good because something else came late, and definitions of Velero stay at the version that was installed first. Backups then stop while every release is ready.",
  remedy: renderAgain,
  sources: { backing: backingSource, definition: definitionSource, runs: veleroSource },
  classify({ backing, definition, runs }): Classified {
    const found = valueIn(backing, undefined);
    const frozen = valueIn(definition, undefined) === false && valueIn(runs, undefined) === true;
    return {
      applies: found !== undefined || valueIn(runs, undefined) !== undefined,
      findings: [
        ...(found?.missing ?? []).map(
          (object): Finding => ({
            object,
            severity: "warning",
            what: `does not exist, and the backup class ${className} leads to it`,
            remedy: renderAgain,
          }),
        ),
        ...(frozen ? [frozenFinding] : []),
      ],
    };
  },
});

const frozenFinding: Finding = {
  object: { group: "apiextensions.k8s.io", kind: "CustomResourceDefinition", name: "backups.velero.io" },
  severity: "warning",
  what: "is older than the Velero that runs, which sets states that it refuses",
  remedy: [
    `kubectl patch helmreleases.helm.toolkit.fluxcd.io velero -n ${velero} --type merge -p '{"spec":{"upgrade":{"crds":"CreateReplace"}}}'`,
    `now=$(date +%s); kubectl annotate helmreleases.helm.toolkit.fluxcd.io velero -n ${velero} --overwrite reconcile.fluxcd.io/forceAt=$now reconcile.fluxcd.io/requestedAt=$now`,
  ],
};
