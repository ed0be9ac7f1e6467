/**
 * Where external-dns differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";

const release = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";
const values = "/spec/values/external-dns";

const isSet = (value: unknown): boolean => value !== undefined && value !== "" && value !== false;

/** Whether the provider is that one, and one of its settings is set. */
const reaches =
  (provider: string, ...settings: readonly string[]) =>
  (given: unknown): boolean =>
    valueAt(given, "provider") === provider && settings.some((setting) => isSet(valueAt(given, provider, setting)));

const azure = ["tenantId", "subscriptionId", "resourceGroup", "aadClientId", "aadClientSecret"];

const hidden =
  "Credentials are kept in a Secret, which the program's variables, arguments and files are taken from; upstream wrote them into the release, which more people may read.";

const restarted =
  "An annotation of the pod changes with the credentials, which the program reads when it starts. It is keyed by a random text of the Secret, so that it gives no means to guess them.";

/** What becomes part of an argument. */
const noArgument = (given: unknown): boolean =>
  !/^[a-z]*$/.test(String(valueAt(given, "aws", "zoneType") ?? "")) ||
  !/^[-a-z0-9.:]*$/.test(String(valueAt(given, "google", "project") ?? ""));

const texts = (given: unknown): boolean =>
  ["cloudflare", "aws", "azure", "google", "digitalocean", "linode", "ovh", "exoscale", "godaddy"].some((provider) => {
    const block = valueAt(given, provider);
    return (
      isRecord(block) &&
      Object.entries(block).some(([key, value]) => typeof value !== (key === "proxied" ? "boolean" : "string"))
    );
  });

export const externalDns: readonly Deviation[] = [
  { class: "design", cases: "all", object: release, at: `${values}/env`, reason: hidden },
  { class: "design", cases: "all", object: "v1/Secret/{release}-credentials", only: "extra", reason: hidden },
  { class: "design", cases: "all", object: release, at: `${values}/podAnnotations`, only: "extra", reason: restarted },
  {
    class: "fault",
    cases: "all",
    object: release,
    at: `${values}/google`,
    only: "missing",
    reason: "The chart ignores this value, which had the account's key in it: project and key had no effect.",
  },
  {
    class: "fault",
    cases: "all",
    object: release,
    at: `${values}/extraArgs`,
    when: (given) => reaches("google", "project")(given) || reaches("aws", "zoneType")(given),
    reason:
      "The project of Google's zones and the type of AWS's are arguments; upstream set values that the chart ignores.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: release,
    at: `${values}/extraArgs`,
    when: (given) => reaches("cloudflare", "proxied")(given),
    test: "what is reached how: Cloudflare that carries the traffic",
    reason: "That Cloudflare carries the traffic is an argument; upstream set a value that the chart ignores.",
  },
  {
    class: "design",
    cases: "unseen",
    object: release,
    at: `${values}/extraArgs`,
    when: reaches("godaddy", "apiKey", "apiSecret"),
    test: "what is reached how: GoDaddy, whose arguments name variables",
    reason: hidden,
  },
  ...["extraVolumes", "extraVolumeMounts"].map(
    (key): Deviation => ({
      class: "fault",
      cases: "all",
      object: release,
      at: `${values}/${key}`,
      only: "extra",
      when: (given) => reaches("google", "serviceAccountKey")(given) || reaches("azure", ...azure)(given),
      reason:
        "The key of Google's account, or Azure's settings, is a file; upstream set values that the chart ignores.",
    }),
  ),
  {
    class: "fault",
    cases: "unseen",
    object: release,
    at: `${values}/azure`,
    only: "missing",
    when: reaches("azure", ...azure),
    test: "what is reached how: Azure by a file",
    reason: "The chart ignores this value, which had the client's secret in it: Azure could not be reached.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: texts,
    test: "refuses a token that is a number",
    reason: "Settings of a provider that are no texts are refused; upstream wrote variables that are none.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: noArgument,
    test: "refuses a project that is none",
    reason: "A project or type of zones that is none is refused; upstream set values that the chart ignores.",
  },
];
