/**
 * P16: the webhook that every pod of a tenant passes, where it goes on with a certificate that was renewed since it started.
 */
import { isRecord, valueAt } from "../../kube/json.ts";
import type { ObjectRef, UnknownObject } from "../../kube/object.ts";
import { compareVersions, imageVersion } from "../versions.ts";
import type { Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { listIn, textIn } from "./fields.ts";
import { type Answer, defineSource, listOf, type Reader, read, type Source, type Unread, valueIn } from "./source.ts";

const namespace = "cozy-kubeovn";
const name = "kubeovn-webhook";
const restart = `kubectl rollout restart deployment ${name} -n ${namespace}`;

/** From this version on it reads a renewed certificate. */
const reloads = { major: 1, minor: 6, patch: 2 } as const;

/** Services of webhooks in its namespace: what it is called there is its chart's business. */
const servicesSource = listOf(
  { group: "admissionregistration.k8s.io", plural: "mutatingwebhookconfigurations" },
  ({ webhooks }): readonly string[] =>
    listIn(webhooks).flatMap((webhook) => {
      const service = valueAt(webhook, "clientConfig", "service");
      return textIn(service, "namespace") === namespace ? (textIn(service, "name") ?? []) : [];
    }),
);

const isReloading = (pod: UnknownObject): boolean =>
  listIn(pod["spec"], "containers").some((container) => {
    const version = imageVersion(textIn(container, "image") ?? "");
    return version !== undefined && compareVersions(version, reloads) >= 0;
  });

/** A process of the webhook. */
interface Started extends Place {
  readonly at: number;
  /** Whether it reads a renewed certificate by itself. */
  readonly reloading: boolean;
  /** Secrets that it has in its files. */
  readonly secrets: readonly string[];
}

function startedOf(pod: UnknownObject): Started {
  const { metadata, spec, status } = pod;
  const times = listIn(status, "containerStatuses").map((one) =>
    Date.parse(textIn(one, "state", "running", "startedAt") ?? ""),
  );
  const known = times.filter((time) => !Number.isNaN(time));
  return {
    namespace,
    name: metadata.name,
    at: known.length > 0 ? Math.min(...known) : Date.parse(textIn(status, "startTime") ?? ""),
    reloading: isReloading(pod),
    secrets: listIn(spec, "volumes").flatMap((volume) => textIn(volume, "secret", "secretName") ?? []),
  };
}

interface Renewed {
  readonly certificate: string;
  readonly secret: string;
  readonly at: number;
}

/** Processes of the webhook, and when their certificates were made; undefined where it is not installed. */
export interface Serving {
  readonly pods: readonly Started[];
  readonly certificates: readonly Renewed[];
}

async function podsOf(reader: Reader, service: string): Promise<Answer<readonly Started[]>> {
  const found = await reader.get({ group: "", plural: "services" }, service, namespace);
  if (found.is !== "read") return found;
  const selector = valueAt(found.value, "spec", "selector");
  if (!isRecord(selector) || Object.keys(selector).length === 0)
    return {
      is: "unreadable",
      what: `Service ${namespace}/${service}`,
      problem: "a webhook names it, and it leads nowhere",
    };
  const labelSelector = Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  return reader.list({ group: "", plural: "pods" }, startedOf, { namespace, labelSelector });
}

const servingSource: Source<Serving | undefined> = defineSource(
  [...servicesSource.reads, `services, pods and certificates.cert-manager.io in ${namespace}`],
  async (reader): Promise<Answer<Serving | undefined>> => {
    const services = await servicesSource.answer(reader);
    if (services.is !== "read") return services.is === "unreadable" ? services : read(undefined);
    const names = [...new Set(services.value.flat())];
    if (names.length === 0) return read(undefined);
    const answers = await Promise.all(names.map((service) => podsOf(reader, service)));
    for (const answer of answers) if (answer.is === "unreadable") return answer;
    const pods = answers.flatMap((answer) => valueIn(answer, []));
    const certificates = await reader.list(
      { group: "cert-manager.io", plural: "certificates" },
      ({ metadata, spec, status }): Renewed | undefined => {
        const secret = textIn(spec, "secretName");
        if (secret === undefined || !pods.some(({ secrets }) => secrets.includes(secret))) return undefined;
        return { certificate: metadata.name, secret, at: Date.parse(textIn(status, "notBefore") ?? "") };
      },
      { namespace },
    );
    if (certificates.is === "unreadable") return certificates;
    return read({ pods, certificates: valueIn(certificates, []) });
  },
);

/** When the certificate of a process was made; undefined where nothing tells. */
function renewedFor({ secrets }: Started, { certificates }: Serving): number | undefined {
  const own = certificates.filter(({ secret }) => secrets.includes(secret)).map(({ at }) => at);
  return own.length === 0 || own.some(Number.isNaN) ? undefined : Math.max(...own);
}

const podRef = ({ name: pod }: Started): ObjectRef => ({ group: "", kind: "Pod", namespace, name: pod });

export const webhookCertificateCheck = defineCheck({
  id: "P16",
  title: `The certificate of ${name}`,
  severity: "blocking",
  why: "Before 1.6.2 the webhook goes on with the certificate that it started with. Once that has ended, no pod can be created in any tenant's namespace, and whatever an upgrade replaces does not come back.",
  remedy: [restart],
  sources: { serving: servingSource },
  classify({ serving }): Classified {
    const found = valueIn(serving, undefined);
    if (found === undefined) return { applies: false };
    const findings: Finding[] = [];
    const unread: Unread[] = [];
    for (const pod of found.pods.filter(({ reloading }) => !reloading)) {
      const renewed = renewedFor(pod, found);
      const what = `Pod ${namespace}/${pod.name}`;
      if (renewed === undefined) unread.push({ what, problem: "when its certificate was made cannot be told" });
      else if (Number.isNaN(pod.at)) unread.push({ what, problem: "it does not say since when it runs" });
      else if (pod.at < renewed)
        findings.push({
          object: podRef(pod),
          severity: "blocking",
          what: `runs since before its certificate was renewed (${new Date(renewed).toISOString()}), and goes on with the old one`,
          remedy: [restart],
        });
    }
    return { findings, unread };
  },
});
