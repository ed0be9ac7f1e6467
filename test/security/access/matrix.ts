/** The whole matrix: which cells there are, and what came of trying them. */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import { loadKubeconfig } from "../../../src/kube/kubeconfig.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { concurrently } from "../../../src/reconcile/concurrently.ts";
import { type Place, places, type SecurityCluster, type Served, served } from "../support/cluster.ts";
import { type Call, caller, type Tried } from "./attempt.ts";
import { isAllowed, nameOf } from "./expect.ts";
import { bodyOf, plantProbes, probeKey, probeName } from "./probes.ts";
import { fnv1a } from "./share.ts";
import { type Area, type Role, roles, rows, type Verb, verbs } from "./table.ts";

export interface Cell {
  readonly role: Role;
  readonly area: Area;
  readonly kind: Served;
  readonly verb: Verb;
  readonly expected: boolean;
  /** Kinds that this cluster does not serve: the answer that there is no such path comes after permission. */
  readonly elsewhere: boolean;
}

export const cellName = ({ role, area, kind, verb }: Cell): string => `${role} may ${verb} ${nameOf(kind)}, ${area}`;

export interface Result {
  readonly cell: Cell;
  readonly passed: boolean;
  readonly tried: Tried;
}

const placesOf = Object.keys(places).filter((name): name is Place => name in places);

/** Kinds of the table that discovery does not tell, since their operator does not run here. */
function elsewhere(known: readonly Served[]): readonly Served[] {
  return rows
    .filter((row) => row.elsewhere === true)
    .flatMap(({ kinds }) => kinds)
    .map((name): Served => {
      const [group = "", plural = "", subresource] = name.split("/");
      return {
        group,
        version: "v1",
        plural,
        kind: plural,
        namespaced: true,
        ...(subresource === undefined ? {} : { subresource }),
        verbs: ["get", "list", "create", "update", "patch"],
      };
    })
    .filter((kind) => !known.some((each) => nameOf(each) === nameOf(kind)));
}

/** Subresources have no collection; discovery tells no verbs that reach an object by its own name. */
function verbsFor(kind: Served): readonly Verb[] {
  if (kind.subresource === undefined) return verbs;
  return verbs.filter((verb) => verb !== "list" && verb !== "watch" && verb !== "deletecollection");
}

function areasFor(kind: Served): readonly Area[] {
  if (nameOf(kind) === "core.cozystack.io/tenantnamespaces") return placesOf;
  if (!kind.namespaced) return ["cluster"];
  return kind.subresource === undefined ? [...placesOf, "everywhere"] : placesOf;
}

/** Every cell of what is served. */
export function cellsOf(kinds: readonly Served[]): readonly Cell[] {
  const unserved = elsewhere(kinds);
  return [...kinds, ...unserved].flatMap((kind) =>
    areasFor(kind).flatMap((area) =>
      verbsFor(kind)
        // There is no one object in all namespaces.
        .filter((verb) => area !== "everywhere" || verb === "list" || verb === "watch")
        .flatMap((verb) =>
          roles.map((role) => ({
            role,
            area,
            kind,
            verb,
            expected: isAllowed({ role, area, target: kind, verb }),
            elsewhere: unserved.includes(kind),
          })),
        ),
    ),
  );
}

export interface Matrix {
  readonly cells: readonly Cell[];
  run(cells: readonly Cell[], told?: (result: Result) => void): Promise<readonly Result[]>;
  close(): Promise<void>;
}

/** Plants what the cells are tried on. Controllers must have stopped: what is ordered here is never meant to run. */
export async function openMatrix(cluster: SecurityCluster): Promise<Matrix> {
  const kinds = await served(cluster.admin);
  const cells = cellsOf(kinds);
  const touched = new Set(
    cells.filter(({ expected, kind }) => expected && kind.namespaced).map(({ kind }) => nameOf(kind)),
  );
  const planted = kinds.filter(
    (kind) =>
      kind.namespaced &&
      kind.subresource === undefined &&
      !views.has(kind.plural) &&
      (touched.has(nameOf(kind)) || kind.plural === "secrets" || kind.plural === "configmaps"),
  );
  const live = await plantProbes(cluster.admin, planted, Object.values(places));
  const requests = caller(loadKubeconfig(cluster.engine.kubeconfig), cluster.accountToken);
  return {
    cells,
    async run(chosen, told = () => undefined) {
      const results: Result[] = [];
      await concurrently([...chosen], 16, async (cell) => {
        const tried = await requests.try(cell.role, cell.verb, callOf(cell, live));
        const result = { cell, passed: agrees(cell, tried), tried };
        told(result);
        results.push(result);
      });
      return results;
    },
    close: () => requests.close(),
  };
}

/** Resources of the aggregated API without objects of their own that could be planted. */
const views: ReadonlySet<string> = new Set(["tenantnamespaces", "tenantmodules", "options", "applicationplans"]);

function callOf({ area, kind }: Cell, live: ReadonlyMap<string, KubeObject>): Call {
  const root = kind.group === "" ? `/api/${kind.version}` : `/apis/${kind.group}/${kind.version}`;
  const place = area === "everywhere" || area === "cluster" ? undefined : places[area];
  const namespace = kind.namespaced ? place : undefined;
  const name = kind.plural === "tenantnamespaces" ? (place ?? "") : probeName(kind);
  const object = namespace === undefined ? undefined : live.get(probeKey(kind, namespace));
  return {
    collection: `${root}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${kind.plural}`,
    name,
    ...(kind.subresource === undefined ? {} : { subresource: kind.subresource }),
    created: bodyOf(kind, kind.plural === "tenants" ? "another" : name === "probe" ? "another-probe" : name, namespace),
    ...(object === undefined ? {} : { live: object }),
    ...(kind.plural === "tenantnamespaces" ? { follow: true } : {}),
  };
}

/** Whether the answer is what the table says. Permission must show by success; refusal may come from rights or from a policy. */
function agrees(cell: Cell, tried: Tried): boolean {
  if (cell.kind.plural === "tenantnamespaces") return cell.expected === showsNamespace(cell, tried);
  if (!cell.expected) return tried.outcome === "refused" || tried.outcome === "denied" || tried.outcome === "unserved";
  if (tried.outcome === "allowed") return true;
  if (tried.outcome !== "other") return false;
  if (cell.elsewhere) return tried.status === 404;
  // The module is there already; a plan is never there to be read or patched but by apply.
  if (tried.status === 409) return cell.verb === "create";
  return cell.kind.plural === "applicationplans" && cell.verb !== "create" && tried.status === 404;
}

function showsNamespace({ area, verb }: Cell, { status, text }: Tried): boolean {
  const place = area === "everywhere" || area === "cluster" ? "" : places[area];
  switch (verb) {
    case "get":
      return status === 200;
    case "list": {
      const parsed: unknown = JSON.parse(text);
      const items = isRecord(parsed) ? parsed["items"] : undefined;
      return Array.isArray(items) && items.some((item) => valueAt(item, "metadata", "name") === place);
    }
    case "watch":
      return text.split("\n").some((line) => line.includes(`"name":"${place}"`));
    default:
      return status < 300;
  }
}

/** A fixed share of the cells: one in `parts`, and always those of the same number for the same cell. */
export function shareOf(cells: readonly Cell[], parts: number, part = 0): readonly Cell[] {
  return cells.filter((cell) => fnv1a(cellName(cell)) % parts === part);
}
