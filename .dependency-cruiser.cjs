/**
 * Which folder may import which. The rooms stand in the order of docs/architecture.md: a room imports itself and rooms
 * before it, never one after it.
 */
const rooms = [
  "embedded",
  "src/kube",
  "src/contracts",
  "src/sdk",
  "src/apps",
  "src/reconcile",
  "src/tenancy",
  "src/network",
  "src/backup",
  "src/platform",
  "src/upgrade",
  "src/server",
  "src/telemetry",
  "src/twin",
  "src/console",
  "src/cli",
];

const order = rooms.slice(0, -1).map((room, index) => ({
  name: `${room.replace("src/", "")}-imports-only-upwards`,
  comment: `${room} may import itself and ${index === 0 ? "nothing else" : rooms.slice(0, index).join(", ")}.`,
  severity: "error",
  from: { path: `^${room}/` },
  to: { path: `^(${rooms.slice(index + 1).join("|")})/` },
}));

module.exports = {
  forbidden: [
    ...order,
    {
      name: "every-folder-is-a-room",
      comment: "A folder of src that the list does not know has no place in the order.",
      severity: "error",
      from: {},
      to: { path: "^src/", pathNot: `^(${rooms.join("|")})/` },
    },
    {
      name: "no-app-imports-another-app",
      comment: "What two applications share belongs to src/sdk or src/contracts.",
      severity: "error",
      from: { path: "^src/apps/([^/]+)/" },
      to: { path: "^src/apps/[^/]+/", pathNot: "^src/apps/$1/" },
    },
    {
      name: "the-program-imports-no-test-code",
      severity: "error",
      from: { path: `^(${rooms.join("|")})/`, pathNot: "\\.test\\.ts$" },
      to: { path: "^(test|scripts|bench)/|\\.test\\.ts$" },
    },
    {
      name: "the-program-uses-no-development-dependency",
      severity: "error",
      from: { path: `^(${rooms.join("|")})/`, pathNot: "\\.test\\.ts$" },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["type-only"] },
    },
    {
      name: "no-circle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    { name: "every-import-resolves", severity: "error", from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Types count: an import of a type points in a direction as well. TypeScript 7 has no compiler API, so swc parses.
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".js", ".json"],
    },
  },
};
