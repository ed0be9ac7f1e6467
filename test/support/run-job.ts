/** Runs what a rendered Job's container would run: its own script, with its files and variables, by the real kubectl. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { tools } from "../../scripts/tools.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { RenderedApp } from "./render.ts";

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => String(value ?? "");

function filesOf(object: unknown): readonly (readonly [string, string])[] {
  const plain = Object.entries(Object(valueAt(object, "stringData") ?? {}));
  const data = Object.entries(Object(valueAt(object, "data") ?? {}));
  const isSecret = valueAt(object, "kind") === "Secret";
  const decoded = data.map(([key, value]) => [key, isSecret ? Buffer.from(textOf(value), "base64") : value] as const);
  return [...decoded, ...plain].map(([key, value]) => [key, textOf(value)] as const);
}

/**
 * Runs the Job whose name begins with `name`. Objects that it mounts or reads variables from are those of `rendered`, and
 * `secrets`: files by the Secret's name. Rejects with what it said when it fails.
 */
export async function runJob(
  rendered: RenderedApp,
  name: string,
  secrets: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<string> {
  const job = rendered.objects.find(({ kind, metadata }) => kind === "Job" && metadata.name.startsWith(name));
  const pod = valueAt(job, "spec", "template", "spec");
  const [container] = listOf(valueAt(pod, "containers"));
  const content = (kind: "ConfigMap" | "Secret", of: string) =>
    new Map(Object.entries(secrets[of] ?? Object.fromEntries(filesOf(rendered.object(kind, of)))));
  const folder = mkdtempSync(join(tmpdir(), "job-"));
  const mounted: string[] = [];
  const script = textOf(listOf(valueAt(container, "command")).at(-1));
  try {
    const variables: Record<string, string> = {};
    for (const one of listOf(valueAt(container, "env"))) {
      const from = valueAt(one, "valueFrom", "secretKeyRef");
      const given = textOf(valueAt(one, "value"));
      variables[textOf(valueAt(one, "name"))] =
        from === undefined
          ? given
          : (content("Secret", textOf(valueAt(from, "name"))).get(textOf(valueAt(from, "key"))) ?? "");
    }
    for (const mount of listOf(valueAt(container, "volumeMounts"))) {
      const path = textOf(valueAt(mount, "mountPath"));
      const volume = listOf(valueAt(pod, "volumes")).find((one) => valueAt(one, "name") === valueAt(mount, "name"));
      const secret = valueAt(volume, "secret", "secretName");
      const files =
        secret === undefined
          ? content("ConfigMap", textOf(valueAt(volume, "configMap", "name")))
          : content("Secret", textOf(secret));
      const at = join(folder, path);
      mkdirSync(at, { recursive: true });
      for (const [file, text] of files) writeFileSync(join(at, file), text);
      mounted.push(path);
    }
    // In one go: the folder itself is below a path that may be mounted.
    const here = (text: string) =>
      text.replaceAll(new RegExp(`(?<![\\w/])(?:${mounted.join("|")})(?![\\w-])`, "g"), `${folder}$&`);
    const values = Object.entries(variables).map(([key, value]) => [key, here(value)]);
    return await run(here(script), folder, Object.fromEntries(values));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(script: string, folder: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const env = { PATH: `${dirname(tools().kubectl)}:${process.env["PATH"] ?? ""}`, KUBERC: "off", ...variables };
  return new Promise((done, failed) => {
    execFile("sh", ["-ec", script], { cwd: folder, env }, (error, stdout, stderr) => {
      if (error === null) done(stdout);
      else failed(new Error(`${error.message}\n${stdout}${stderr}`));
    });
  });
}
