/**
 * P16: the webhook that every pod of a tenant passes, where it goes on with a certificate that was renewed since it started.
 */
import { isRecord, valueAt } from "../../kube/json.ts";
import type { ObjectRef, UnknownObject } from "../../kube/object.ts";
import { compareVersions, imageVersion } from "../versions.ts";
import type { Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { listIn, textIn } from "./fields.ts";
import { type Answer, defineSource, oneOf, read, type Source, valueIn } from "./source.ts";

const namespace = "cozy-kubeovn";
const name = "kubeovn-webhook";
const restart = `kubectl rollout restart deployment ${name} -n ${namespace}`;

/** From this version on it reads a renewed certificate. */
const reloads = { major: 1, minor: 6, patch: 2 } as const;

interface Webhook {
  /** Whether it reads a renewed certificate by itself. */
  readonly reloading: boolean;
  /** Secrets that it has in its files. */
  readonly secrets: readonly string[];
  readonly selector: string;
}

function webhookOf(deployment: UnknownObject): Webhook {
  const pod = valueAt(deployment, "spec", "template", "spec");
  const labels = valueAt(deployment, "spec", "selector", "matchLabels");
  return {
    reloading: listIn(pod, "containers").some((container) => {
      const version = imageVersion(textIn(container, "image") ?? "");
      return version !== undefined && compareVersions(version, reloads) >= 0;
    }),
    secrets: listIn(pod, "volumes").flatMap((volume) => textIn(volume, "secret", "secretName") ?? []),
    selector: Object.entries(isRecord(labels) ? labels : {})
      .map(([key, value]) => `${key}=${value}`)
      .join(","),
  };
}

const webhookSource = oneOf({ group: "apps", plural: "deployments" }, { namespace, name }, webhookOf);

interface Started extends Place {
  readonly at: number;
}

function startedOf({ metadata, status }: UnknownObject): Started {
  const times = listIn(status, "containerStatuses").map((one) =>
    Date.parse(textIn(one, "state", "running", "startedAt") ?? ""),
  );
  const known = times.filter((time) => !Number.isNaN(time));
  const at = known.length > 0 ? Math.min(...known) : Date.parse(textIn(status, "startTime") ?? "");
  return { namespace, name: metadata.name, at };
}

interface Renewed {
  readonly certificate: string;
  readonly at: number;
}

/** Processes of the webhook, and when their certificate was made; undefined where it is not installed. */
export interface Serving {
  readonly reloading: boolean;
  readonly pods: readonly Started[];
  readonly certificates: readonly Renewed[];
}

const servingSource: Source<Serving | undefined> = defineSource(
  [...webhookSource.reads, `pods and certificates.cert-manager.io in ${namespace}`],
  async (reader): Promise<Answer<Serving | undefined>> => {
    const webhook = await webhookSource.answer(reader);
    if (webhook.is !== "read" || webhook.value === undefined)
      return webhook.is === "unreadable" ? webhook : read(undefined);
    const { reloading, secrets, selector } = webhook.value;
    const [pods, certificates] = await Promise.all([
      reader.list({ group: "", plural: "pods" }, startedOf, { namespace, labelSelector: selector }),
      reader.list(
        { group: "cert-manager.io", plural: "certificates" },
        ({ metadata, spec, status }) =>
          secrets.includes(textIn(spec, "secretName") ?? "")
            ? { certificate: metadata.name, at: Date.parse(textIn(status, "notBefore") ?? "") }
            : undefined,
        { namespace },
      ),
    ]);
    if (pods.is !== "read") return pods;
    if (certificates.is === "unreadable") return certificates;
    return read({ reloading, pods: pods.value, certificates: valueIn(certificates, []) });
  },
);

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
    if (found.reloading) return {};
    const renewed = Math.max(...found.certificates.map(({ at }) => (Number.isNaN(at) ? -Infinity : at)), -Infinity);
    const untold = found.pods.filter(({ at }) => Number.isNaN(at));
    return {
      findings: found.pods
        .filter(({ at }) => at < renewed)
        .map(
          (pod): Finding => ({
            object: podRef(pod),
            severity: "blocking",
            what: `runs since before its certificate was renewed (${new Date(renewed).toISOString()}), and goes on with the old one`,
            remedy: [restart],
          }),
        ),
      unread:
        renewed === -Infinity
          ? [{ what: `certificate of ${name}`, problem: "when it was made cannot be told" }]
          : untold.map(({ name: pod }) => ({
              what: `Pod ${namespace}/${pod}`,
              problem: "it does not say since when it runs",
            })),
    };
  },
});
