/** What a cluster may not ask for, beyond the types of its fields. */
import type { SecretObject } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { secretText } from "../../kube/secret-text.ts";
import { clusterFlag } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { checkTalos } from "../../sdk/node-pool/checks.ts";
import type { NodePool } from "../../sdk/node-pool/pool.ts";
import { faultOf } from "./authentication.ts";
import { configurationKey, dataStore } from "./names.ts";
import type { Input, Spec } from "./spec.ts";

const no = (field: string, message: string, remedy: string): never =>
  refuse({ code: "InvalidValue", field: `spec.${field}`, message, remedy });

/** Volumes of the control plane's own. */
const reserved: ReadonlySet<string> = new Set(["talos-ca", "talos-tls-cert"]);

export const authenticationVolume = "authentication-config";

function checkVolume(volume: Readonly<Record<string, unknown>>, at: number): string {
  const field = `controlPlane.apiServer.extraVolumes[${at}]`;
  const { name, ...sources } = volume;
  if (typeof name !== "string" || name === "") return no(field, "has no name", "Give it a name.");
  if (reserved.has(name)) return no(field, `the name ${name} is taken by the control plane`, "Choose another name.");
  const kinds = Object.keys(sources);
  if (kinds.length !== 1 || !(kinds[0] === "configMap" || kinds[0] === "secret"))
    return no(field, `the volume ${name} is neither a configMap nor a secret`, "Give it one of the two.");
  return name;
}

function checkVolumes({ extraVolumes, extraVolumeMounts }: Spec["controlPlane"]["apiServer"]): void {
  const names = extraVolumes.map(checkVolume);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    no("controlPlane.apiServer.extraVolumes", `two volumes are named ${twice}`, "Give each a name of its own.");
  for (const [at, { name }] of extraVolumeMounts.entries()) {
    if (typeof name === "string" && names.includes(name)) continue;
    no(
      `controlPlane.apiServer.extraVolumeMounts[${at}]`,
      `there is no volume ${JSON.stringify(name ?? "")} among extraVolumes`,
      "Mount one of extraVolumes.",
    );
  }
}

/** What somebody else says who users are with, and so cannot be said twice. */
function checkArguments({ controlPlane: { apiServer }, oidc }: Spec): void {
  if (oidc.mode === "None") return;
  const field = "controlPlane.apiServer";
  const argument = apiServer.extraArgs.find((one) => /^--(oidc-|authentication-config)/.test(one));
  if (argument !== undefined)
    no(`${field}.extraArgs`, `${argument.split("=")[0]} is set by oidc`, "Remove it, or set oidc.mode to None.");
  if (apiServer.extraVolumes.some(({ name }) => name === authenticationVolume))
    no(`${field}.extraVolumes`, `the name ${authenticationVolume} is taken by oidc`, "Choose another name.");
}

/** An API server that cannot read its configuration does not start. What is in a Secret is quoted by nothing. */
function checkConfiguration({ oidc: { customConfig }, version }: Spec, secret: SecretObject | undefined): void {
  const { config, secretRef } = customConfig;
  // Without the Secret the control plane's pods wait for it.
  if (config === "" && secret === undefined) return;
  const fault = faultOf(config === "" ? secretText(secret, configurationKey) : config, Number(version.split(".")[1]));
  if (fault === undefined) return;
  const { path, message, unknown } = fault;
  const named = unknown === undefined || config === "" ? "" : `: ${unknown}`;
  const what = `${path === "" ? "the AuthenticationConfiguration" : path} ${message}${named}`;
  if (config !== "") no("oidc.customConfig.config", what, "Correct it.");
  const remedy = `Correct ${configurationKey} in the Secret ${secretRef.name}.`;
  no("oidc.customConfig.secretRef", `${configurationKey}: ${what}`, remedy);
}

function checkOidc({ spec, context }: Input, given: SecretObject | undefined): void {
  const { oidc } = spec;
  if (oidc.mode === "System" && !clusterFlag(context.cluster, "oidc-enabled"))
    no("oidc.mode", "the platform has no OIDC", "An administrator switches it on; or choose another mode.");
  if (oidc.mode === "CustomConfig") {
    const { config, secretRef } = oidc.customConfig;
    if ((config === "") === (secretRef.name === ""))
      no("oidc.customConfig", "takes either config or secretRef.name", "Set one of them.");
    checkConfiguration(spec, given);
  }
  const emails = oidc.users.map(({ email }) => email);
  const wrong = emails.find((email, at) => email === "" || emails.indexOf(email) !== at);
  if (wrong !== undefined && oidc.mode !== "None")
    no("oidc.users", wrong === "" ? "a user has no email" : `${wrong} is listed twice`, "List each user once.");
}

const yes = /^(true|1|yes|on|y)$/i;

/** Whether an override switches the Gateway API on, in whatever way YAML or the chart reads that. */
function wantsGateway(values: unknown): boolean {
  const flag = valueAt(values, "ouroboros", "controller", "gatewayApi", "enabled");
  return (typeof flag === "boolean" || typeof flag === "string" || typeof flag === "number") && yes.test(String(flag));
}

function checkAddons({ spec: { addons }, ...input }: Input): void {
  if (dataStore(input) !== "" && addons.hami.enabled && !addons.gpuOperator.enabled)
    no("addons.hami", "needs addons.gpuOperator", "Enable gpuOperator as well.");
  if (!addons.ouroboros.enabled) return;
  if (!addons.ingressNginx.enabled) no("addons.ouroboros", "needs addons.ingressNginx", "Enable ingressNginx as well.");
  if (!addons.gatewayAPI.enabled && wantsGateway(addons.ouroboros.valuesOverride))
    no("addons.ouroboros.valuesOverride", "switches on what needs addons.gatewayAPI", "Enable gatewayAPI as well.");
}

function checkGroups({ nodeGroups }: Spec): void {
  for (const [name, group] of Object.entries(nodeGroups)) {
    if (group.ephemeralStorage === undefined) continue;
    no(`nodeGroups.${name}.ephemeralStorage`, "is called diskSize", "Rename it to diskSize.");
  }
}

/** Refuses what no schema can refuse. What is wrong with machines, machines themselves refuse. */
export function checkCluster(input: Input, pools: readonly NodePool[], configuration: SecretObject | undefined): void {
  for (const pool of pools) checkTalos(pool);
  checkGroups(input.spec);
  checkOidc(input, configuration);
  checkAddons(input);
  checkArguments(input.spec);
  checkVolumes(input.spec.controlPlane.apiServer);
}
