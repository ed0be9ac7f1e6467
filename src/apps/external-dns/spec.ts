/** What a user says about an ExternalDNS. */
import type { Static } from "typebox";
import { Type } from "typebox";
import type { AppInput } from "../../sdk/app.ts";
import { appSpec, flag, group, listOf, oneOf, sizing, text } from "../../sdk/spec.ts";

const providers = [
  "cloudflare",
  "aws",
  "azure",
  "google",
  "digitalocean",
  "linode",
  "ovh",
  "exoscale",
  "godaddy",
  "inmemory",
] as const;

const setting = (description: string, pattern?: string) =>
  text({ default: "", maxLength: 4096, description, ...(pattern === undefined ? {} : { pattern }) });
const line = Type.String({ maxLength: 4096 });

export const ExternalDNSSpec = appSpec({
  provider: oneOf(providers, {
    description:
      "Who serves the domains; the field of the same name says how it is reached. inmemory: nobody, for trying.",
  }),
  domainFilters: listOf(line, {
    description: "Domains in which records are made. Empty: in all that the provider has.",
  }),
  policy: oneOf(["create-only", "sync", "upsert-only"], {
    default: "upsert-only",
    description: "Whether records are changed and deleted (sync), changed (upsert-only) or only made (create-only).",
  }),
  extraArgs: listOf(line, { description: "Further arguments of the program." }),
  gatewayAPI: flag({ default: false, description: "Make records of HTTPRoutes and TLSRoutes, too." }),
  annotationPrefix: text({
    default: "",
    maxLength: 253,
    description: "Beginning of the annotations that are read. Empty: external-dns.alpha.kubernetes.io/.",
  }),
  cloudflare: group(
    {
      apiToken: setting("Token of the API."),
      apiKey: setting("Key of the API, where there is no token; with apiEmail."),
      apiEmail: setting("Address of the account that apiKey belongs to."),
      proxied: flag({ default: false, description: "Cloudflare carries the traffic." }),
    },
    { description: "Cloudflare." },
  ),
  aws: group(
    {
      accessKeyId: setting("Access key."),
      secretAccessKey: setting("Secret access key."),
      region: setting("Region."),
      zoneType: setting("Zones that are used: public or private. Empty: both.", "^[a-z]*$"),
    },
    { description: "Route 53." },
  ),
  azure: group(
    {
      tenantId: setting("Tenant."),
      subscriptionId: setting("Subscription."),
      resourceGroup: setting("Resource group of the zones."),
      aadClientId: setting("Client."),
      aadClientSecret: setting("Secret of the client."),
    },
    { description: "Azure DNS." },
  ),
  google: group(
    {
      project: setting("Project of the zones.", "^[-a-z0-9.:]*$"),
      serviceAccountKey: text({ default: "", maxLength: 16_384, description: "Key of the service account, JSON." }),
    },
    { description: "Google Cloud DNS." },
  ),
  digitalocean: group({ token: setting("Token of the API.") }, { description: "DigitalOcean." }),
  linode: group({ token: setting("Token of the API.") }, { description: "Linode." }),
  ovh: group(
    {
      endpoint: setting("Endpoint of the API, such as ovh-eu."),
      applicationKey: setting("Key of the application."),
      applicationSecret: setting("Secret of the application."),
      consumerKey: setting("Key of the consumer."),
    },
    { description: "OVH." },
  ),
  exoscale: group(
    { apiKey: setting("Key of the API."), apiSecret: setting("Secret of the API.") },
    { description: "Exoscale." },
  ),
  godaddy: group(
    { apiKey: setting("Key of the API."), apiSecret: setting("Secret of the API.") },
    { description: "GoDaddy." },
  ),
  ...sizing({ preset: "t1.nano" }),
});

export type Spec = Static<typeof ExternalDNSSpec.schema>;
export type Input = AppInput<Spec>;
