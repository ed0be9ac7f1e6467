/**
 * `render`: the objects an application is made of, without a cluster.
 */
import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { stringify } from "yaml";
import { ROOT } from "../../apps/tenant/place.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { groupOf, type KubeObject, refOf } from "../../kube/object.ts";
import { virtualMachineSizes } from "../../platform/instancetypes/index.ts";
import { placed } from "../../reconcile/body.ts";
import { MASKED } from "../../reconcile/change.ts";
import { kindLookup } from "../../reconcile/controller.ts";
import { undecidedName } from "../../reconcile/preview.ts";
import type { App } from "../../sdk/app.ts";
import { furniture } from "../../twin/furniture.ts";
import { UnknownKindError } from "../applications.ts";
import { type Document, parseDocuments, readSources, type Source } from "../documents.ts";
import { exitCodes } from "../exit.ts";
import {
  appsOf,
  type CommonFlags,
  does,
  UsageError,
  withExamples,
  withFiles,
  withNamespace,
  withOutput,
} from "../flags.ts";
import { KindNotServedError, versionOf } from "../kinds.ts";
import { offlineAnswers, type RandomFor, repeatable } from "../offline-answers.ts";
import { offlineContext } from "../offline-context.ts";
import { shortName } from "../print-plan.ts";
import { refusedObject } from "../refused.ts";
import { unevaluated } from "../unevaluated-rules.ts";
import { unknownFieldWarnings } from "../warnings.ts";

interface RenderFlags extends CommonFlags {
  readonly file?: readonly string[];
  readonly existing?: readonly string[];
  readonly showSecrets?: boolean;
}

/** Adds the command. */
export function render(root: Command): void {
  const command = withOutput(withNamespace(withFiles(root.command("render"))))
    .summary("print the objects an application is made of, without a cluster")
    .description(
      "Prints the objects that applications are made of. Needs no cluster: the surroundings come from a file, or are those of a fresh installation. Values of Secrets are masked.",
    )
    .option("--context <file>", "the surroundings: cluster, namespace, tenant, chartVersion, apis")
    .option("--existing <file...>", "objects that exist, such as the disks of a machine")
    .option("--show-secrets", "print values of Secrets; generated ones are new at every run");
  withExamples(
    command,
    "cozystack render -f examples/redis.yaml",
    "cozystack render -f examples/vm.yaml --existing disks.yaml",
    "cozystack render -f app.yaml -o name",
  );
  does<RenderFlags>(command, async (_, flags, terminal) => {
    if (flags.file === undefined) throw new UsageError("name the documents with -f");
    const apps = await appsOf(flags);
    const existing =
      flags.existing === undefined ? [] : parseDocuments(readSources(flags.existing)).map(({ object }) => object);
    // Without a cluster the word means what surrounds the application.
    const [context] = flags.context === undefined ? [] : readSources([flags.context]);
    const input = {
      apps,
      context,
      namespace: flags.namespace,
      random: flags.showSecrets === true ? fresh : repeatable,
      warn: (line: string) => terminal.progress(line),
    };
    const made: KubeObject[] = [];
    const kinds = new Set<App>();
    for (const document of parseDocuments(readSources(flags.file))) {
      // What earlier documents are made of exists for later ones, and so does what a fresh installation has.
      const exists = [...existing, ...virtualMachineSizes, ...furniture, ...made];
      const app = appOf(document, apps);
      kinds.add(app);
      made.push(...rendered(document, app, { ...input, existing: exists }));
    }
    for (const note of [...kinds].flatMap((app) => unevaluated(app) ?? [])) terminal.progress(`warning: ${note}`);
    const objects = flags.showSecrets === true ? made : made.map(withoutSecrets);
    const names = objects.map((object) => shortName(refOf(object)));
    terminal.result({ apiVersion: "v1", kind: "List", items: objects }, names, () => yamlOf(objects));
    return exitCodes.ok;
  });
}

interface RenderInput {
  readonly apps: readonly App[];
  readonly existing: readonly KubeObject[];
  readonly context: Source | undefined;
  readonly namespace: string | undefined;
  readonly random: RandomFor;
  readonly warn: (line: string) => void;
}

/** New at every run. */
const fresh: RandomFor = () => randomBytes;
/** Others than those that are shown. */
const otherwise: RandomFor = (seed) => repeatable(`${seed}/otherwise`);

const renamed = (object: KubeObject, name: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, name },
});

function appOf({ object, where }: Document, apps: readonly App[]): App {
  const app = apps.find(({ group, kind }) => kind === object.kind && group === groupOf(object.apiVersion));
  if (app === undefined) throw new UnknownKindError(object.kind, apps, where);
  const other = versionOf(object, apps);
  if (other !== undefined) throw new KindNotServedError(where, object, other);
  return app;
}

/** One that is there already keeps its name, however long: a warning. */
function nameWarning(app: App, { metadata: { name } }: KubeObject): readonly string[] {
  if (name.length <= app.longestName) return [];
  return [`the name has ${name.length} characters; a new ${app.kind} can have at most ${app.longestName}`];
}

function rendered(document: Document, app: App, input: RenderInput): readonly KubeObject[] {
  const { object, where } = document;
  const { apps, existing, random } = input;
  for (const warning of [...nameWarning(app, object), ...unknownFieldWarnings(app, object)])
    input.warn(`warning: ${where}: ${warning}`);
  const namespace = object.metadata.namespace ?? input.namespace ?? ROOT;
  const context = offlineContext(namespace, input.context);
  const kindOf = kindLookup(apps);
  try {
    const instance = app.instance({ name: object.metadata.name, namespace, spec: valueAt(object, "spec") }, context);
    const { needs: requests } = instance;
    const given = { where, existing, namespace, requests };
    const manifests = instance.render(offlineAnswers({ ...given, random }));
    // What may be shown of a name that is made of generated values is what does not change with them.
    const others = random === repeatable ? instance.render(offlineAnswers({ ...given, random: otherwise })) : manifests;
    return manifests.map(({ object: made, policy }, at) => {
      const kind = kindOf(groupOf(made.apiVersion), made.kind);
      const isDecided = policy !== "runOnce" || made.metadata.name === others[at]?.object.metadata.name;
      const shown = isDecided ? made : renamed(made, undecidedName(made.metadata.name));
      return kind === undefined ? shown : placed(shown, kind, namespace);
    });
  } catch (error) {
    throw refusedObject({ ...object, metadata: { ...object.metadata, namespace } }, error, document);
  }
}

/** Not even as base64: nobody can apply it by mistake. */
function withoutSecrets(object: KubeObject): KubeObject {
  if (object.apiVersion !== "v1" || object.kind !== "Secret") return object;
  const masked = ["data", "stringData"].flatMap((field) => {
    const values = valueAt(object, field);
    return isRecord(values) ? [[field, Object.fromEntries(Object.keys(values).map((key) => [key, MASKED]))]] : [];
  });
  return { ...object, ...Object.fromEntries(masked) };
}

function yamlOf(objects: readonly KubeObject[]): string {
  return objects.map((object) => stringify(object, { aliasDuplicateObjects: false })).join("---\n");
}
