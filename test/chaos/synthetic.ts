/**
 * Scenarios over the small application of the tests: every policy, quickly.
 */
import { Secret } from "../../src/contracts/core.ts";
import { Gizmo, gizmo, gizmoObject } from "../support/synthetic-app.ts";
import { change, create, remove, type Scenario } from "./scenario.ts";

const common = { apps: [gizmo] } as const;
const spec = (values: object) => ({ spec: values });
const annotate = (annotations: object) => ({ metadata: { annotations } });

export const syntheticScenarios: readonly Scenario[] = [
  {
    ...common,
    name: "gizmo: create, change, delete",
    steps: [
      create("create", Gizmo, (ns) =>
        gizmoObject("a", ns, { extra: ["one", "two"], job: "first", managedSecret: true }),
      ),
      change("change", Gizmo, "a", spec({ size: 2, extra: ["two", "three"], job: "second" })),
      remove("delete", Gizmo, "a"),
    ],
    steady: ["Secret gizmo-a-auth", "Service gizmo-a-svc", "ConfigMap gizmo-a-two"],
  },
  {
    ...common,
    name: "gizmo: create, rotate, keep",
    steps: [
      create("create", Gizmo, (ns) => gizmoObject("a", ns, { kept: true, reclaimPolicy: "Retain" })),
      {
        ...change("rotate", Gizmo, "a", annotate({ "apps.cozystack.io/rotate": "1" })),
        until: async ({ admin, namespace }) => {
          const secret = await admin.get(Secret, "gizmo-a-auth", namespace);
          return secret?.metadata.annotations?.["internal.cozystack.io/rotated"] === "1";
        },
      },
      change("change", Gizmo, "a", spec({ kept: false, size: 3 })),
      remove("delete", Gizmo, "a"),
      create("create again", Gizmo, (ns) => gizmoObject("a", ns, { kept: true })),
    ],
    steady: ["Secret gizmo-a-auth", "ConfigMap gizmo-a-kept"],
    rotated: ["gizmo-a-auth/password"],
  },
];
