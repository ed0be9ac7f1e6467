/**
 * What says which version of Cozystack is installed: the stamp, and the operator that the installer's release runs.
 */
import { valueAt } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";
import { type PathStart, planPath } from "../path.ts";
import { imageVersion, parseStamp, parseVersion, stampObject, type Version } from "../versions.ts";
import { listIn, textIn } from "./fields.ts";
import { type Answer, defineSource, oneOf, read, type Source, valueIn } from "./source.ts";

const keepAnnotation = "helm.sh/resource-policy";

/** The object that has the stamp. */
export interface Stamp {
  readonly text: string | undefined;
  readonly kept: boolean;
  /** Tenants' clusters whose version migration 46 could not change, as `NAMESPACE/NAME`. */
  readonly left: readonly string[];
}

/** Whether Helm lets the object be when it leaves a release. */
export function isKept(object: UnknownObject): boolean {
  return object.metadata.annotations?.[keepAnnotation] === "keep";
}

export const stampSource: Source<Stamp | undefined> = oneOf(
  { group: "", plural: "configmaps" },
  stampObject,
  (object) => {
    const text = valueAt(object, "data", stampObject.key);
    const left = object.metadata.annotations?.["cozystack.io/migration-46-failed-tenants"] ?? "";
    return {
      text: typeof text === "string" ? text : undefined,
      kept: isKept(object),
      left: left.split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()])),
    };
  },
);

const operatorContainer = "cozystack-operator";

/** What the operator's Deployment says of its version: a variable set for that, else the tag of its image. */
function operatorVersion(deployment: UnknownObject): { readonly version: Version | undefined } {
  for (const container of listIn(deployment, "spec", "template", "spec", "containers")) {
    const set = listIn(container, "env").find((one) => valueAt(one, "name") === "COZYSTACK_VERSION");
    const isOperator = valueAt(container, "name") === operatorContainer;
    const image = isOperator ? (textIn(container, "image") ?? "") : "";
    const version = parseVersion(textIn(set, "value") ?? "") ?? imageVersion(image);
    if (version !== undefined) return { version };
  }
  return { version: undefined };
}

const operatorSource = oneOf(
  { group: "apps", plural: "deployments" },
  { namespace: stampObject.namespace, name: operatorContainer },
  operatorVersion,
);

/** An installation of Cozystack. */
export interface Installation extends PathStart {
  /** The namespace of the platform, there or not. */
  readonly present: boolean;
  /** Whether upstream's operator is there. */
  readonly operator: boolean;
  /** `data.version` as it stands, where it is no number. */
  readonly badStamp: string | undefined;
}

/** Whether the platform's namespace is kept; undefined where there is none. */
export const namespaceSource = oneOf({ group: "", plural: "namespaces" }, { name: stampObject.namespace }, isKept);

/** Which installation there is. `present` is false on a cluster that has none. */
export const installationSource: Source<Installation> = defineSource<Installation>(
  [...new Set([stampSource, operatorSource, namespaceSource].flatMap(({ reads }) => reads))],
  async (reader): Promise<Answer<Installation>> => {
    const [stamp, operator, namespace] = await Promise.all([
      stampSource.answer(reader),
      operatorSource.answer(reader),
      namespaceSource.answer(reader),
    ]);
    for (const answer of [stamp, operator, namespace]) if (answer.is === "unreadable") return answer;
    const found = valueIn(operator, undefined);
    const stamped = valueIn(stamp, undefined);
    const number = parseStamp(stamped?.text);
    return read({
      stamp: number,
      version: found?.version,
      operator: found !== undefined,
      present: stamped !== undefined || valueIn(namespace, undefined) !== undefined,
      badStamp: stamped !== undefined && number === undefined ? (stamped.text ?? "") : undefined,
    });
  },
);

/** The way to the version that is wanted, from the installation that there is. */
export const pathSource = defineSource(installationSource.reads, async (reader) => {
  const installation = await installationSource.answer(reader);
  if (installation.is !== "read") return installation;
  return read({
    installation: installation.value,
    target: reader.target,
    path: planPath(installation.value, reader.target),
  });
});
