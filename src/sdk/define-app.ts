/**
 * From an application's definition to the {@link App} that the rest of the program works with.
 */
import type { Static, TObject } from "typebox";
import { dashboardAccess } from "./access.ts";
import type { App, AppDefinition, AppInput, AppInstance, AppSpec, RenderInput } from "./app.ts";
import { readSpec } from "./check.ts";
import type { AppContext } from "./context.ts";
import { crdOf } from "./crd.ts";
import { checkObjects, lineageLabels, withLabels } from "./lineage.ts";
import { type Manifest, manifestOf, type Rendered } from "./manifest.ts";
import { workloadMonitor } from "./monitor.ts";
import { derivedNames, longestName } from "./names.ts";
import type { Answers, Needs } from "./needs.ts";
import { requestsOf, resolveNeeds } from "./resolve-needs.ts";
import { comingRefusals } from "./tightening.ts";
import { visibilityLabels } from "./visibility.ts";

/** The TypeScript type of a spec made by `appSpec`. */
export type SpecOf<A extends AppSpec<TObject>> = Static<A["schema"]>;

/** What the functions of a definition but render receive. */
export type Input<A extends AppSpec<TObject>> = AppInput<SpecOf<A>>;

/** A render function for a spec made by `appSpec`, `N` being what the definition's `needs` returns. */
export type Render<A extends AppSpec<TObject>, N extends Needs = Record<never, never>> = (
  input: RenderInput<SpecOf<A>, N>,
) => readonly Rendered[];

/** The group of every kind that users order. */
export const appsGroup = "apps.cozystack.io";

/** See {@link AppDefinition}. The App's `instance` throws a Refusal for a spec that does not fit. */
export function defineApp<S extends TObject, N extends Needs>(definition: AppDefinition<S, N>): App {
  const { kind, plural, catalog, release: prefix, module = false, group = appsGroup } = definition;
  const singular = definition.singular ?? kind.toLowerCase();
  const { schema, rules } = definition.spec;
  const { tightening = [] } = definition;

  function instance(
    object: { readonly name: string; readonly namespace: string; readonly spec: unknown },
    context: AppContext,
  ): AppInstance {
    const { name, namespace } = object;
    const { release } = derivedNames(prefix, name);
    const spec = readSpec(schema, object.spec);
    const input: AppInput<Static<S>> = { name, namespace, release, spec, context };
    const needs = definition.needs?.(input);
    const exposure = definition.expose?.(input);

    function surroundings(): readonly Manifest[] {
      const monitors = definition.monitors?.(input) ?? [];
      const access = exposure === undefined ? [] : dashboardAccess(release, exposure, context);
      return [...monitors.map((monitor) => workloadMonitor(monitor, { kind, namespace }, context)), ...access].map(
        manifestOf,
      );
    }

    function render(answers: Answers): readonly Manifest[] {
      const rendered = definition.render({ ...input, needs: resolveNeeds(needs, answers) });
      const manifests = [...rendered.map(manifestOf), ...surroundings()];
      checkObjects(manifests, namespace);
      const labels = lineageLabels({ group, kind, name });
      return manifests.map((manifest) => {
        const { object, policy } = manifest;
        if (policy === "patchExisting") return manifest;
        return { ...manifest, object: withLabels(object, { ...labels, ...visibilityLabels(exposure ?? {}, object) }) };
      });
    }

    return {
      release,
      spec,
      needs: requestsOf(needs ?? {}),
      render,
      storage: definition.storage?.(input) ?? [],
      leftovers: definition.leftovers?.(input) ?? [],
      references: definition.references?.(input) ?? [],
      exposure: exposure ?? {},
      willBeRefused: comingRefusals(tightening, spec),
      status: (answers) => definition.statusOf?.({ ...input, needs: resolveNeeds(needs, answers) }) ?? {},
    };
  }

  return {
    group,
    kind,
    plural,
    singular,
    release: prefix,
    longestName: longestName(prefix, definition.longestRelease),
    module,
    catalog,
    schema,
    tightening,
    crd: () =>
      crdOf({
        group,
        kind,
        plural,
        singular,
        summary: catalog.summary,
        schema,
        rules,
        statusFields: definition.status ?? {},
        columns: definition.columns ?? [],
      }),
    instance,
    deletion: (object) => definition.deletion?.(object) ?? [],
  };
}
