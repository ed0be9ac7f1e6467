/**
 * P17: who still looks for a component on the port that only the kubelet has now.
 */
import { isRecord } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";
import type { Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { type Answer, defineSource, type Resource, read, resourceText, type Source, valueIn } from "./source.ts";

const port = "10250";

/** Components that moved, and where to. */
const moved = { "cert-manager": 10260, "external-secrets": 10260, "metrics-server": 4443 } as const;
type Component = keyof typeof moved;
const components: readonly Component[] = ["cert-manager", "external-secrets", "metrics-server"];

/** An object that names the port. */
interface OnPort extends Place {
  readonly group: string;
  readonly kind: string;
  readonly resource: string;
  /** Components that it names; without one it is about the kubelet. */
  readonly components: readonly Component[];
}

const scrapes = "monitoring.coreos.com";
const victoria = "operator.victoriametrics.com";
const resources: readonly Resource[] = [
  ...["servicemonitors", "podmonitors", "scrapeconfigs"].map((plural) => ({ group: scrapes, plural })),
  ...["vmservicescrapes", "vmpodscrapes", "vmstaticscrapes", "vmscrapeconfigs"].map((plural) => ({
    group: victoria,
    plural,
  })),
  { group: "networking.k8s.io", plural: "networkpolicies" },
  ...["ciliumnetworkpolicies", "ciliumclusterwidenetworkpolicies"].map((plural) => ({ group: "cilium.io", plural })),
];

/** Every key and value in a spec, as texts. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "number") yield String(value);
  else if (Array.isArray(value)) for (const item of value) yield* textsIn(item);
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value)) {
      yield key;
      yield* textsIn(item);
    }
}

/** What the object has to do with the port; undefined: nothing, or it is the platform's own, which moves with it. */
export function onPort(resource: Resource, object: UnknownObject): OnPort | undefined {
  const { namespace = "", name, annotations } = object.metadata;
  if (annotations?.["meta.helm.sh/release-namespace"]?.startsWith("cozy-") === true) return undefined;
  const texts = [name, namespace, ...textsIn(object["spec"]), ...textsIn(object["specs"])];
  if (!texts.some((text) => text === port || text.endsWith(`:${port}`))) return undefined;
  return {
    group: resource.group,
    kind: object.kind,
    resource: resourceText(resource),
    namespace,
    name,
    components: components.filter((component) => texts.some((text) => text.includes(component))),
  };
}

const targetsSource: Source<readonly OnPort[]> = defineSource(
  resources,
  async (reader): Promise<Answer<readonly OnPort[]>> => {
    const answers = await Promise.all(
      resources.map((resource) => reader.list(resource, (object) => onPort(resource, object))),
    );
    for (const answer of answers) if (answer.is === "unreadable") return answer;
    return read(answers.flatMap((answer) => valueIn(answer, [])));
  },
);

function findingOf({ group, kind, resource, namespace, name, components: named }: OnPort): Finding {
  const where = named.map((component) => `${component} is on ${moved[component]}`).join(", ");
  const inside = namespace === "" ? "" : ` -n ${namespace}`;
  return {
    object: { group, kind, name, ...(namespace === "" ? {} : { namespace }) },
    severity: "information",
    what: `names port ${port} with ${named.join(" and ")}; after the upgrade ${where}`,
    remedy: [`kubectl edit ${resource} ${name}${inside}`],
  };
}

export const scrapePortCheck = defineCheck({
  id: "P17",
  title: `Targets on port ${port}`,
  severity: "information",
  why: "cert-manager, external-secrets and metrics-server leave the kubelet's port. What still looks for them there finds nothing, and says so only as a dead target.",
  remedy: [
    `After the upgrade let scrapes and policies of your own name ${components.map((one) => `${moved[one]} for ${one}`).join(", ")}.`,
  ],
  sources: { targets: targetsSource },
  classify({ targets }): Classified {
    const all = valueIn(targets, []);
    return {
      applies: all.length > 0,
      findings: all.filter(({ components: named }) => named.length > 0).map(findingOf),
    };
  },
});
