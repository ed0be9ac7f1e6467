/**
 * docs/errors.md: every code that the program gives, from the tables that it uses and a list of the codes outside them.
 */
import { apiProblems } from "../src/kube/errors.ts";
import { reconcileProblems } from "../src/reconcile/problem.ts";
import { refusals } from "../src/sdk/errors.ts";

/** Codes that belong to one place in the program: what happened, and what to do. */
export const singleCodes: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  ApplicationNotFound: [
    "The application named on the command line is not there.",
    "Look with `cozystack get KIND -A`, and name its namespace with `-n`.",
  ],
  ContextInvalid: ["The file given to `render --context` is no context.", "Correct the value that the message names."],
  ObjectNeeded: [
    "`render` needs an object of the cluster that the context does not hold.",
    "Put the object that the message names into the file given with `--existing`.",
  ],
  RotationBlocked: [
    "`rotate` was asked for an application that is not rendered, so that it has no Secrets to make anew.",
    "See `cozystack why KIND NAME`, and correct what it names first.",
  ],
  DataWouldBeLost: [
    "The change would lose data, and nobody has confirmed it.",
    "Look at the plan; then confirm it, or repeat the command with the flag that the message names.",
  ],
  PlanRefused: ["An application refuses its spec.", "Correct the field that the message names."],
  DocumentInvalid: [
    "A file given with `-f` is no list of Kubernetes objects.",
    "Correct the line that the message names.",
  ],
  FieldUnknown: [
    "`explain` was asked for a field that the kind does not have.",
    "Look at the kind without a field: `cozystack explain KIND`.",
  ],
  KubernetesTooOld: [
    "The cluster's version of Kubernetes lacks what the platform needs.",
    "Upgrade the cluster to 1.33 or newer, one minor version at a time.",
  ],
  KubectlMissing: ["`cozystack kubectl` finds no kubectl.", "Run `npm ci` again, or install kubectl."],
  NoKubeconfig: [
    "`cozystack kubeconfig` was asked for a cluster that has no kubeconfig to show: none yet, or none of that kind.",
    "Do what the message says.",
  ],
  GatewayNotMade: [
    "A tenant's gateway lacks what it is made of, or an object of the name is somebody else's.",
    "Correct what the condition of the TenantGateway names.",
  ],
  KindNotServed: ["The cluster does not serve the kind.", "Install the platform first: `cozystack up`."],
  UnknownField: [
    "`--strict` was given, and a spec has a field that its kind does not know.",
    "Correct or remove it; the message names the nearest known one.",
  ],
  UnknownKind: ["There is no application of that kind.", "See `cozystack explain` for all kinds."],
  AppsInvalid: [
    "The folder given with `--apps` holds no application that can be used.",
    "Correct the file that the message names.",
  ],
  EngineToolchainMissing: [
    "The embedded control plane must be built, and there is no Go.",
    "Install the version of Go that the message names, or name a cluster with `--kubeconfig` or `--context`.",
  ],
  EngineBuildFailed: [
    "The embedded control plane could not be built.",
    "Look at the compiler's output; most often the Go module proxy could not be reached.",
  ],
  EngineInUse: ["Another process runs an engine on the same data.", "Use that one, or end it with `cozystack down`."],
  EngineStartFailed: ["The engine did not become ready.", "Look at the log that the message names."],
  EngineCrashed: [
    "The engine ended by itself.",
    "Look at the log that the message names, and start it again: its data is kept.",
  ],
  EtcdRefused: ["The engine's etcd refused a request.", "Look at etcd's log in the engine's data directory."],
  BudgetInvalid: [
    "A tenant's budget holds an amount that is no quantity, or a resource that Kubernetes does not count.",
    "Correct the resource that the message names.",
  ],
  CanaryUnknown: [
    "The tenant that an upgrade was to begin with does not exist.",
    "Name the namespace of a tenant, such as `tenant-a`.",
  ],
  ChecksInTheWay: [
    "An upgrade was not begun, as checks say that it would end badly.",
    "Mend what `cozystack upgrade check` names.",
  ],
  ControllersRunning: [
    "An upgrade cannot begin, as other controllers of this version or a newer one go on to act.",
    "End them first: stop `cozystack up`, or scale its Deployment to 0.",
  ],
  CopyTooLarge: [
    "The cluster has more objects than a rehearsal copies.",
    "Raise `--max-objects` or `--max-size` where there is memory for it.",
  ],
  GateBusy: ["Many budgets are being decided at once.", "Try again; nothing was reserved."],
  LedgersBusy: ["The ledger of a budget is being changed by others.", "Try again; nothing was reserved."],
  NotInTree: [
    "The namespace of a tenant is not part of the tree of tenants.",
    "Order the tenant in the namespace of another tenant.",
  ],
  EngineNotOurs: [
    "The lock names a process that is no engine.",
    "Remove the lock that the message names if no engine runs.",
  ],
  EngineStopTimeout: [
    "The engine did not end when it was asked to.",
    "Run `cozystack down` again; it then ends it by force.",
  ],
  ExecPluginFailed: [
    "The program that the kubeconfig names for credentials failed.",
    "Run it by hand and correct what it says.",
  ],
  GrafanaRefused: [
    "A Grafana does not let the platform keep its members.",
    "Look at Grafana's log; after a change by hand, compare its administrator's password with `grafana-admin-password`.",
  ],
  GrafanaUnavailable: [
    "A Grafana did not answer, so that its members may differ from those listed.",
    "It is tried again; look at Grafana's pods, and whether the controllers may reach them.",
  ],
  IndexInvalid: ["A fault of the program: a store was asked by an index that it does not have.", "Report it."],
  KindNotReady: [
    "The cluster has the definition of a kind and does not serve it: whether it has objects cannot be told.",
    "Look at the conditions of the CustomResourceDefinition that the message names.",
  ],
  MigrationNotDone: [
    "A migration wrote what it had to, and it did not stay so or was not taken up.",
    "Do what the message says, and begin again: it goes on where it stopped.",
  ],
  MigrationRefused: [
    "A migration cannot begin without risk. Nothing was written.",
    "Do what the message says, and begin again.",
  ],
  MigrationsRunning: ["Another process runs migrations.", "Wait until it has ended."],
  StampBeyond: [
    "The installation is newer than this program: migrations have no way back.",
    "Use a version of this program that is not older than the installation.",
  ],
  StampInvalid: [
    "The stamp of the installation is no number of a migration.",
    "Find out which version was installed last, and write its stamp.",
  ],
  StampMissing: [
    "The installation has no stamp, so that nothing says which migrations it has had.",
    "Find out which version was installed last, and create the ConfigMap that the message names with its stamp.",
  ],
  StampTooOld: [
    "The installation is older than the oldest migration known.",
    "Upgrade it to the last version of 1.4 first, by its own instructions.",
  ],
  KubeconfigInvalid: [
    "The kubeconfig cannot be used.",
    "Correct the entry that the message names, or name another one with `--kubeconfig` or `--context`.",
  ],
  LeaseLost: ["Another replica has taken over.", "Nothing: the new holder goes on."],
  NoCluster: ["There is no cluster to talk to.", "Start one with `cozystack up`, or name one with `--kubeconfig`."],
  NoClusterYet: [
    "The embedded control plane is still being built or started.",
    "Wait until `cozystack up` says that it is up.",
  ],
  NotEstablished: [
    "The API server does not serve a definition that was installed.",
    "Look at the conditions of the CustomResourceDefinition that the message names.",
  ],
  PlatformValuesInvalid: [
    "The platform's Package holds a value that cannot be used.",
    "Correct the value that the message names.",
  ],
  PoliciesNotInForce: [
    "The API server does not act on the admission policies that were stored.",
    "Look whether it evaluates ValidatingAdmissionPolicies (Kubernetes does from 1.30 on), and at its log.",
  ],
  QueueRunning: ["A fault of the program: a work queue was started twice.", "Report it."],
  SchemaNotStructural: [
    "A schema that Kubernetes would refuse, found while an application is defined.",
    "Follow the message: it names the place and what may stand there.",
  ],
  StoredFieldsDropped: [
    "A definition in the cluster has fields that ours has not, or has with another type: what people stored in them would be lost. Nothing was written.",
    "Install the version that made the definition, or a newer one. To give the fields up, take them out of the cluster's definition first.",
  ],
  MigrationsIncomplete: [
    "A migration did not get through, so that an upgrade released nothing.",
    "Mend what the message names, and run the upgrade again.",
  ],
  UpgradeHalted: [
    "Something that was ready before its wave of an upgrade is not any more. Nothing more was released.",
    "Mend what the message names and run the upgrade again, or take it back with `--back` of the former version.",
  ],
  UpgradeTaken: ["Two runs of an upgrade wrote the same record.", "Let one of them go on: what is written down holds."],
  UpgradeUnderWay: [
    "An upgrade to another version is under way.",
    "Let that version end it, or take it back with `--back` of the version before it.",
  ],
  UpgradeUnreadable: [
    "The record of an upgrade says something that this version does not understand; no controller acts.",
    "Use the version that wrote it.",
  ],
  StoreNotReady: ["A fault of the program: a store was read before it was filled.", "Report it."],
};

/** Reasons of conditions that say where an application is, rather than what is wrong. */
const reasons: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  Progressing: [
    "Changes are being written, or what was written is not healthy yet.",
    "Wait; the message names what it waits for.",
  ],
  WaitingForObject: [
    "Something that must exist first does not.",
    "Make the object that the message names, or wait for whoever makes it.",
  ],
  Retrying: ["A write failed and is tried again.", "Wait; if it stays, the message says what the API server answered."],
  NotHealthy: ["It was ready and is not any more.", "Look at the object that the message names."],
  ObjectFailed: [
    "One of its objects has failed and will not recover by itself.",
    "Look at the object that the message names.",
  ],
  Deleting: ["It is being deleted.", "Wait; the message lists what is left."],
  DeletionBlocked: [
    "Deletion does not go on because of one object.",
    'Free the object that the message names; or set the annotation `apps.cozystack.io/force-delete: "true"` and accept what stays behind.',
  ],
  WillBeRefused: [
    "The spec is accepted now, and a rule of the next version will refuse it.",
    "Change what the message names before the platform is upgraded.",
  ],
  UnknownFields: [
    "The spec has fields that the kind does not know. They are kept and have no effect.",
    "Correct or remove them; the message names the nearest known one.",
  ],
};

const cell = (text: string) => text.replaceAll("|", "\\|");

function table(rows: readonly (readonly [code: string, what: string, remedy?: string])[]): readonly string[] {
  const two = rows.every(([, , remedy]) => remedy === undefined);
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    two ? "| Code | Meaning |" : "| Code | Meaning | What to do |",
    two ? "| --- | --- |" : "| --- | --- | --- |",
    ...sorted.map(
      ([code, what, remedy]) => `| \`${code}\` | ${cell(what)} |${remedy === undefined ? "" : ` ${cell(remedy)} |`}`,
    ),
    "",
  ];
}

const upper = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${text.endsWith(".") ? "" : "."}`;

export function errorPage(): string {
  const api = Object.entries(apiProblems).map(
    ([code, { status, remedy }]) =>
      [code, status === 0 ? "No answer that could be used." : `The API server answered ${status}.`, remedy] as const,
  );
  const reconcile = Object.entries(reconcileProblems).map(
    ([code, { message, remedy }]) => [code, upper(`the object ${message}`), remedy] as const,
  );
  const flat = (entries: typeof singleCodes) =>
    Object.entries(entries).map(([code, [what, remedy]]) => [code, what, remedy] as const);
  return [
    "# Errors",
    "",
    "Every error has a code that stays the same, a message that names the object and the field, and a way out. Applications show theirs in the conditions `Ready` and `Stalled`: the reason is the code. Values of Secrets are never shown.",
    "",
    "## Refused specs",
    "",
    "Found before anything changes. The message begins with the field.",
    "",
    ...table(Object.entries(refusals)),
    "## Where an application is",
    "",
    ...table(flat(reasons)),
    "## Objects of an application",
    "",
    ...table(reconcile),
    "## Answers of the API server",
    "",
    ...table(api),
    "## The program itself",
    "",
    ...table(flat(singleCodes)),
  ].join("\n");
}
