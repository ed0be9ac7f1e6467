/** How each provider is reached: by variables, arguments and files, of which the secret ones are in a Secret. */
import type { Spec } from "./spec.ts";

export interface Access {
  /** Environment variables, all of them kept in the Secret: nobody needs to know which of them are secret. */
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** A file, kept in the Secret, and where the program looks for it. */
  readonly file?: { readonly directory: string; readonly name: string; readonly content: string };
  /** Variables that are no secret. */
  readonly plain?: Readonly<Record<string, string>>;
  /** Values of the chart that upstream sets. */
  readonly block?: Readonly<Record<string, object>>;
}

/** Those that are set. */
const given = (all: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""));

const argument = (name: string, value: string): readonly string[] => (value === "" ? [] : [`--${name}=${value}`]);

function cloudflare({ apiToken, apiKey, apiEmail, proxied }: Spec["cloudflare"]): Access {
  const byKey = apiKey !== "" && apiEmail !== "" ? { CF_API_KEY: apiKey, CF_API_EMAIL: apiEmail } : {};
  return {
    env: apiToken === "" ? byKey : { CF_API_TOKEN: apiToken },
    ...(proxied ? { args: ["--cloudflare-proxied"], block: { cloudflare: { proxied: true } } } : {}),
  };
}

function aws({ accessKeyId, secretAccessKey, region, zoneType }: Spec["aws"]): Access {
  return {
    env: given({ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_DEFAULT_REGION: region }),
    args: argument("aws-zone-type", zoneType),
    ...(zoneType === "" ? {} : { block: { aws: { zoneType } } }),
  };
}

function azure(settings: Spec["azure"]): Access {
  const { tenantId, subscriptionId, resourceGroup, aadClientId, aadClientSecret } = settings;
  const set = given({ tenantId, subscriptionId, resourceGroup, aadClientId, aadClientSecret });
  if (Object.keys(set).length === 0) return {};
  return { file: { directory: "/etc/kubernetes", name: "azure.json", content: JSON.stringify(set) } };
}

function google({ project, serviceAccountKey }: Spec["google"]): Access {
  const [directory, name] = ["/etc/google", "credentials.json"];
  return {
    args: argument("google-project", project),
    ...(serviceAccountKey === ""
      ? {}
      : {
          file: { directory, name, content: serviceAccountKey },
          plain: { GOOGLE_APPLICATION_CREDENTIALS: `${directory}/${name}` },
        }),
  };
}

function ovh({ endpoint, applicationKey, applicationSecret, consumerKey }: Spec["ovh"]): Access {
  const all = {
    OVH_ENDPOINT: endpoint,
    OVH_APPLICATION_KEY: applicationKey,
    OVH_APPLICATION_SECRET: applicationSecret,
    OVH_CONSUMER_KEY: consumerKey,
  };
  return { env: Object.keys(given(all)).length === 0 ? {} : all };
}

/** The program takes these as arguments only: Kubernetes puts the variables in their place. */
function godaddy({ apiKey, apiSecret }: Spec["godaddy"]): Access {
  const env = given({ GODADDY_API_KEY: apiKey, GODADDY_API_SECRET: apiSecret });
  return {
    env,
    args: Object.keys(env).map((name) => `--${name.toLowerCase().replaceAll("_", "-")}=$(${name})`),
  };
}

const access: Readonly<Record<NonNullable<Spec["provider"]>, (spec: Spec) => Access>> = {
  cloudflare: (spec) => cloudflare(spec.cloudflare),
  aws: (spec) => aws(spec.aws),
  azure: (spec) => azure(spec.azure),
  google: (spec) => google(spec.google),
  digitalocean: (spec) => ({ env: given({ DO_TOKEN: spec.digitalocean.token }) }),
  linode: (spec) => ({ env: given({ LINODE_TOKEN: spec.linode.token }) }),
  ovh: (spec) => ovh(spec.ovh),
  exoscale: ({ exoscale: { apiKey, apiSecret } }) => ({
    env: given({ EXOSCALE_API_KEY: apiKey, EXOSCALE_API_SECRET: apiSecret }),
  }),
  godaddy: (spec) => godaddy(spec.godaddy),
  inmemory: () => ({}),
};

/** How the provider of the spec is reached. Settings of others count for nothing. */
export function accessOf(provider: NonNullable<Spec["provider"]>, spec: Spec): Access {
  return access[provider](spec);
}

/** What of it belongs into a Secret, by key. */
export function secretsOf({ env = {}, file }: Access): Readonly<Record<string, string>> {
  return { ...env, ...(file === undefined ? {} : { [file.name]: file.content }) };
}
