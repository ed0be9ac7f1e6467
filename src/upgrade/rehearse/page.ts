/**
 * A rehearsal as one page, for a browser and for print: nothing is loaded from elsewhere, and no script runs.
 */
import { type Impact, worse } from "../../contracts/impact.ts";
import type { ObjectRef } from "../../kube/object.ts";
import { type AppEffect, impactWords, isTouched, type ObjectEffect, unitsOf, unitText } from "../effects/effect.ts";
import { Html, html } from "./html.ts";
import { pageStyle } from "./page-style.ts";
import type { Rehearsal } from "./rehearse.ts";

export interface PageOptions {
  /** Where the cluster is. */
  readonly cluster: string;
  /** Of the program that was rehearsed. */
  readonly version: string;
}

const gravest: readonly Impact[] = ["losesData", "deletes", "replaces", "rolls", "restarts", "inPlace", "none"];

/** Objects of one application that are listed; the rest is counted. */
const SHOWN = 40;

/** The whole page. */
export function rehearsalPage(rehearsal: Rehearsal, options: PageOptions): string {
  const { effects } = rehearsal;
  const tenants = [...Map.groupBy(effects, ({ tenant }) => tenant)].sort(([a], [b]) => (a < b ? -1 : 1));
  const touched = tenants.filter(([, of]) => of.some(isTouched));
  const still = tenants.length - touched.length;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Rehearsal of ${options.cluster}</title>
<style>${new Html(pageStyle)}</style>
</head>
<body>
<main>
<h1>What the upgrade would do</h1>
<p class="dim">Cozystack ${options.version} on ${options.cluster}, rehearsed ${rehearsal.at}</p>
${tiles(effects)}
<p class="card note"><b>A simulation.</b> Seen on a copy of ${rehearsal.copied.objects} objects, where the controllers are real, and operators and machines are played. Nothing was changed on the cluster, and no value of a Secret was copied. Times are estimates.</p>
${rehearsal.settled ? undefined : html`<p class="card stop">Not everything came to rest: what is listed is what happened until then.</p>`}
${stops(effects)}
<h2>By tenant</h2>
${touched.map(([tenant, of]) => tenantPart(tenant, of))}
<p class="dim">${still === 0 ? undefined : `Nothing happens in ${still} of ${tenants.length} tenants.`}</p>
</main>
</body>
</html>
`.text;
}

function tiles(effects: readonly AppEffect[]): Html {
  const counts = Map.groupBy(effects, ({ impact }) => impact);
  const impacts = gravest.flatMap((impact) => {
    const count = counts.get(impact)?.length ?? 0;
    return count === 0 ? [] : [html`<li class="card"><b class="${impact}">${count}</b>${impactWords[impact]}</li>\n`];
  });
  const units = Object.entries(unitsOf(effects)).map(
    ([what, count]) => html`<li class="card"><b>${count}</b>${what} replaced or lost</li>\n`,
  );
  return html`<ul class="tiles">${impacts}${units}</ul>`;
}

function stops(effects: readonly AppEffect[]): Html | undefined {
  const stopped = effects.filter(({ blocked }) => blocked !== undefined);
  if (stopped.length === 0) return undefined;
  return html`<h2>Would not get through</h2>
${stopped.map(
  ({ app, blocked, wasReady }) => html`<div class="card stop">
<p><b>${nameOf(app)}</b> <span class="dim">${blocked?.reason}${wasReady ? "" : ", not ready before either"}</span></p>
<p>${blocked?.message}</p>
${blocked?.remedy === undefined ? undefined : html`<p class="dim">${blocked.remedy}</p>`}
</div>
`,
)}`;
}

function tenantPart(tenant: string, effects: readonly AppEffect[]): Html {
  const touched = effects.filter(isTouched);
  const worst = touched.reduce<Impact>((one, { impact }) => worse(one, impact), "none");
  const units = Object.entries(unitsOf(effects)).map(([what, count]) => `${count} ${what}`);
  return html`<details class="tenant"${worst === "none" || worst === "inPlace" ? undefined : new Html(" open")}>
<summary><b>${tenant}</b><span class="impact ${worst}">${impactWords[worst]}</span><span class="dim">${touched.length} of ${effects.length} applications${units.length === 0 ? "" : `, ${units.join(", ")}`}</span></summary>
<div class="scroll"><table>
<thead><tr><th>Application</th><th>What happens</th><th>Objects</th><th>About</th></tr></thead>
<tbody>
${touched.map(row)}
</tbody></table></div>
</details>
`;
}

function row({ app, impact, pools, changes, blocked, seconds }: AppEffect): Html {
  const word = blocked !== undefined && impact === "none" ? "blocked" : impactWords[impact];
  return html`<tr>
<td>${app.kind}<br><code>${app.name}</code></td>
<td><span class="impact ${impact}">${word}</span>${pools.map(
    ({ object, what, count }) => html`<br>${unitText(what, count)} of ${object.kind} <code>${object.name}</code>`,
  )}</td>
<td>${objects(changes)}</td>
<td class="number">${seconds === 0 ? "" : timeText(seconds)}</td>
</tr>
`;
}

function objects(changes: readonly ObjectEffect[]): Html | undefined {
  if (changes.length === 0) return undefined;
  const more = changes.length - SHOWN;
  return html`<details><summary>${changes.length === 1 ? "1 object" : `${changes.length} objects`}</summary><ul>${changes
    .slice(0, SHOWN)
    .map(
      ({ object, action, impact, because }) =>
        html`<li>${object.kind} <code>${object.name}</code> <span class="${impact}">${action === "create" ? "new" : impactWords[impact]}</span> <span class="dim">${because}</span></li>`,
    )}${more > 0 ? html`<li class="dim">and ${more} more</li>` : undefined}</ul></details>`;
}

const nameOf = ({ kind, namespace = "", name }: ObjectRef): string => `${kind} ${namespace}/${name}`;

function timeText(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}
