/**
 * The init Job: the SQL that makes users, databases and their roles. It must run beside the data, so it is a Job; it is
 * named by its content, so it runs once per content. The scripts are in the folder `init`.
 */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Job } from "../../contracts/batch.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord } from "../../kube/json.ts";
import { contentHash, sha256hex } from "../../sdk/hash.ts";
import { type Rendered, runOnce } from "../../sdk/manifest.ts";
import { alphanumeric, type GeneratedSecret, generatedSecret } from "../../sdk/needs.ts";
import { sanitize } from "../../sdk/resources.ts";
import type { Input, Spec } from "./spec.ts";
import { images } from "./versions.ts";

/** `desired` comes first: the others are run after it. */
const sections = ["desired", "fence", "server", "visit", "retire", "drop", "declared", "database"] as const;

/** Comments and indentation stay here: every instance has a copy of the scripts in the cluster. */
function read(name: string, comment: RegExp): string {
  const lines = readFileSync(new URL(`./init/${name}`, import.meta.url), "utf8").split("\n");
  const said = lines.map((line) => line.trim()).filter((line) => line !== "" && !comment.test(line));
  return `${said.join("\n")}\n`;
}

/** All SQL in one text, compressed for the same reason: it is most of what an instance takes up. */
function sql(): string {
  const all = sections.map((name) => `-- begin ${name}\n${read(`${name}.sql`, /^--/)}-- end\n`);
  return gzipSync(all.join(""), { level: 9 }).toString("base64");
}

/** The scripts by file name. */
export const scripts: Readonly<Record<string, string>> = {
  "init.sh": read("init.sh", /^#(?!!)/),
  "sql.gz.base64": sql(),
};

const desiredFile = "desired.json";
/** Key with the random value that keys the hash in the Job's name. Not rotated: it opens nothing. */
const hashKey = "job-name-key";

const scriptSecret = (release: string): string => `${release}-init-script`;

/** The operator's Secret with the superuser's name and password. */
const superuserSecret = (release: string): string => `${release}-superuser`;

export function initNeed({ release, spec }: Input) {
  // A cluster that is made from a backup has its users and databases from there.
  if (spec.bootstrap.enabled) return undefined;
  return generatedSecret(scriptSecret(release), { [hashKey]: alphanumeric(32) }, { rotate: [] });
}

const byName = <V>(record: Readonly<Record<string, V>>): readonly (readonly [string, V])[] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

/** What the scripts read. `revision` says which of two runs is the later one, `source` whose revisions they are. */
export function desiredDocument(
  spec: Pick<Spec, "users" | "databases">,
  passwords: ReadonlyMap<string, string>,
  run: { readonly source: string; readonly revision: number },
): string {
  const users = byName(spec.users).map(([name, user]) => ({
    name,
    password: passwords.get(name),
    replication: user.replication ?? false,
  }));
  const databases = byName(spec.databases).map(([name, { roles, extensions }]) => ({
    name,
    admin: roles?.admin ?? [],
    readonly: roles?.readonly ?? [],
    extensions: extensions ?? [],
  }));
  return `${JSON.stringify({ ...run, users, databases })}\n`;
}

/** The revision in a live document; 0 where there is none, as in a Secret of an adopted installation. */
function revisionOf(document: string | undefined): number {
  let parsed: unknown;
  try {
    parsed = JSON.parse(document ?? "");
  } catch {
    return 0;
  }
  const revision = isRecord(parsed) ? parsed["revision"] : undefined;
  return typeof revision === "number" && Number.isSafeInteger(revision) && revision > 0 ? revision : 0;
}

/**
 * The content of the Secret. Its revision is the live one as long as everything else is as it is live, else the next: the
 * same content as some time before is another run, because something else ran between.
 */
function content(spec: Spec, passwords: ReadonlyMap<string, string>, live: Readonly<Record<string, string>>) {
  const key = live[hashKey] ?? "";
  const source = sha256hex(key).slice(0, 16);
  const at = (revision: number) => ({
    ...scripts,
    [desiredFile]: desiredDocument(spec, passwords, { source, revision }),
  });
  const revision = revisionOf(live[desiredFile]);
  const same = Object.entries(at(revision)).every(([name, text]) => live[name] === text);
  return { key, files: at(same && revision > 0 ? revision : revision + 1) };
}

/** At most 63 characters, the limit of the label that Kubernetes puts on a Job's pods. */
function jobName(release: string, key: string, files: Readonly<Record<string, string>>): string {
  const prefix = `${release}-init-`;
  return `${prefix}${contentHash(key, JSON.stringify(byName(files)), Math.min(8, 63 - prefix.length))}`;
}

function job(name: string, { release, spec, context }: Input): Rendered {
  const fromSuperuser = (key: string) => ({ valueFrom: { secretKeyRef: { name: superuserSecret(release), key } } });
  return runOnce(
    Job(name, {
      spec: {
        template: {
          spec: {
            restartPolicy: "Never",
            securityContext: {
              runAsUser: 26,
              runAsGroup: 26,
              fsGroup: 26,
              runAsNonRoot: true,
              seccompProfile: { type: "RuntimeDefault" },
            },
            containers: [
              {
                name: "postgres",
                image: images[spec.version],
                command: ["bash", "/scripts/init.sh"],
                env: [
                  { name: "PGUSER", ...fromSuperuser("username") },
                  { name: "PGPASSWORD", ...fromSuperuser("password") },
                  { name: "PGHOST", value: `${release}-rw` },
                  { name: "PGPORT", value: "5432" },
                  { name: "PGDATABASE", value: "postgres" },
                ],
                resources: sanitize({ cpu: "1", memory: "512Mi" }, context),
                securityContext: {
                  runAsNonRoot: true,
                  readOnlyRootFilesystem: true,
                  privileged: false,
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: ["ALL"] },
                },
                volumeMounts: [
                  { name: "secret", mountPath: "/etc/secret" },
                  { name: "scripts", mountPath: "/scripts" },
                ],
              },
            ],
            volumes: [
              { name: "secret", secret: { secretName: superuserSecret(release) } },
              { name: "scripts", secret: { secretName: scriptSecret(release) } },
            ],
          },
        },
      },
    }),
  );
}

/** The Secret with the scripts and what they are to make true, and the Job that runs them. */
export function init(
  input: Input,
  passwords: ReadonlyMap<string, string>,
  known: GeneratedSecret | undefined,
): readonly Rendered[] {
  if (known === undefined) return [];
  const { release, spec } = input;
  const { key, files } = content(spec, passwords, known.values);
  return [
    Secret(scriptSecret(release), { stringData: { ...files, [hashKey]: key } }),
    job(jobName(release, key, files), input),
  ];
}
