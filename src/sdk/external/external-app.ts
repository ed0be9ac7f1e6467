/**
 * An application that is defined by an object in the cluster: its values go to a chart, by a release of Flux.
 */
import type { TObject } from "typebox";
import type { Definition } from "../../contracts/application-definition.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { App, AppInstance, Catalog } from "../app.ts";
import { crdOf } from "../crd.ts";
import { checkObjects, lineageLabels, withLabels } from "../lineage.ts";
import { manifestOf } from "../manifest.ts";
import { derivedNames, longestName } from "../names.ts";
import { matching, optional } from "../needs.ts";
import { requestsOf, resolveNeeds } from "../resolve-needs.ts";
import { isReserved } from "./keywords.ts";
import { exposureOf, isModule, releaseLabels, releaseOptions } from "./options.ts";

/** Names the definition that a CustomResourceDefinition or role of ours follows from. */
export const DEFINITION_LABEL = "platform.cozystack.io/application-definition";

/** The one group in which tenants order. */
const group = "apps.cozystack.io";

/** As upstream's flags have them by default. */
const interval = "5m";
const retryInterval = "30s";
const maxHistory = 5;

function catalogOf({ spec: { application, dashboard } }: Definition): Catalog {
  const title = dashboard?.singular ?? application.kind;
  const order = dashboard?.keysOrder?.flatMap(([top, field]) => (top === "spec" && field !== undefined ? [field] : []));
  return {
    title,
    titlePlural: dashboard?.plural ?? `${title}s`,
    category: dashboard?.category ?? "External",
    summary: dashboard?.description ?? `${title}, installed from a chart.`,
    ...(dashboard?.tags === undefined ? {} : { tags: dashboard.tags }),
    ...(dashboard?.weight === undefined ? {} : { weight: dashboard.weight }),
    ...(order === undefined || order.length === 0 ? {} : { fieldOrder: order }),
  };
}

/** The release of one application, as upstream makes it. */
export function externalRelease(definition: Definition, release: string, spec: unknown) {
  const { chartRef, waitStrategy = "", healthCheckExprs = [] } = definition.spec.release;
  const { installTimeout, upgradeTimeout, disableWait } = releaseOptions(definition);
  const strategy = { name: "RetryOnFailure" as const, retryInterval };
  const wait = disableWait ? { disableWait } : {};
  const values = Object.entries(isRecord(spec) ? spec : {}).filter(([key]) => !isReserved(key));
  const poller = waitStrategy === "" && healthCheckExprs.length > 0 ? ("poller" as const) : waitStrategy;
  return HelmRelease(release, {
    labels: releaseLabels(definition),
    spec: {
      chartRef: {
        kind: chartRef.kind,
        name: chartRef.name,
        ...(chartRef.namespace === undefined ? {} : { namespace: chartRef.namespace }),
      },
      interval,
      maxHistory,
      install: { timeout: installTimeout, strategy, ...wait },
      upgrade: { timeout: upgradeTimeout, strategy, ...wait },
      valuesFrom: [{ kind: "Secret", name: "cozystack-values" }],
      values: Object.fromEntries(values),
      ...(healthCheckExprs.length === 0 ? {} : { healthCheckExprs }),
      ...(poller === "" ? {} : { waitStrategy: { name: poller } }),
    },
  });
}

/** The application of a definition. `schema`: from {@link valuesSchema}. */
export function externalApp(definition: Definition, schema: TObject): App {
  const { application, release: chart } = definition.spec;
  const { kind, plural, singular } = application;
  const { prefix } = chart;
  const module = isModule(definition);
  const catalog = catalogOf(definition);
  const unknownFields = "Fields that are not named here go to the chart as they are.";
  const served = {
    unknownFields,
    group,
    kind,
    plural,
    singular,
    summary: catalog.summary,
    schema,
    rules: [],
    statusFields: {},
  };

  function instance({
    name,
    namespace,
    spec,
  }: {
    readonly name: string;
    readonly namespace: string;
    readonly spec: unknown;
  }): AppInstance {
    const { release } = derivedNames(prefix, name);
    const labels = lineageLabels({ group, kind, name });
    const needs = {
      release: optional(HelmRelease, release),
      monitors: matching(WorkloadMonitor, {
        "apps.cozystack.io/application.group": group,
        "apps.cozystack.io/application.kind": kind,
        "apps.cozystack.io/application.name": name,
      }),
    };
    const exposure = exposureOf(definition, { name, namespace });
    return {
      release,
      spec,
      needs: requestsOf(needs),
      render() {
        const manifest = manifestOf(externalRelease(definition, release, spec));
        const made = { ...manifest, object: withLabels(manifest.object, labels) };
        checkObjects([made], namespace);
        return [made];
      },
      storage: [],
      leftovers: [],
      references: [],
      exposure,
      status: () => ({}),
      observed(answers) {
        const found = resolveNeeds(needs, answers);
        const revision = valueAt(found.release, "status", "lastAttemptedRevision");
        return {
          ...(typeof revision === "string" ? { version: revision } : {}),
          monitors: found.monitors.map(({ status }) => status?.operational),
        };
      },
    };
  }

  return {
    group,
    kind,
    plural,
    singular,
    release: prefix,
    longestName: longestName(prefix),
    module,
    catalog,
    schema,
    crd() {
      const crd = crdOf(served);
      const labels = { ...crd.metadata.labels, [DEFINITION_LABEL]: definition.metadata.name };
      return { ...crd, metadata: { ...crd.metadata, labels } };
    },
    instance,
    deletion: () => [],
    definedBy: definition.metadata.name,
  };
}
