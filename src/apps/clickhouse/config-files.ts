/**
 * Configuration files of the server. A changed file restarts every server, so that the text of a running installation stays
 * as it is for as long as it says the same.
 */

/** The server's own logs in tables that nobody reads and that fill the disk. */
const silenced = [
  "asynchronous_metric_log",
  "metric_log",
  "query_views_log",
  "part_log",
  "session_log",
  "text_log",
  "trace_log",
  "crash_log",
  "opentelemetry_span_log",
  "processors_profile_log",
] as const;

const kept = ["query_log", "query_thread_log"] as const;

const xml = (elements: readonly string[]): string => `<clickhouse>\n${elements.join("\n")}\n</clickhouse>\n`;

function disabledLogs(): string {
  return xml(silenced.map((name) => `  <${name} remove="1"/>`));
}

function queryLogs(days: number): string {
  const engine = `ENGINE = MergeTree PARTITION BY (event_date) ORDER BY (event_time) TTL event_date + INTERVAL ${days} DAY DELETE`;
  return xml(
    kept.map((name) =>
      [
        `  <${name} replace="1">`,
        "    <database>system</database>",
        `    <table>${name}</table>`,
        `    <engine>${engine}</engine>`,
        "    <flush_interval_milliseconds>7500</flush_interval_milliseconds>",
        `  </${name}>`,
      ].join("\n"),
    ),
  );
}

const withoutComments = (text: string): string => text.replace(/<!--[\s\S]*?-->/g, "").replace(/<\?xml[^>]*\?>/g, "");

/** The elements of a file, each once; undefined when it has others than `allowed`, or anything outside its root. */
function elements(text: string, allowed: readonly string[]): ReadonlySet<string> | undefined {
  if (!/^<(clickhouse|yandex)>[\s\S]*<\/\1>$/.test(text.trim())) return undefined;
  const found = new Set([...text.matchAll(/<\/?\s*([^\s/>]+)/g)].map(([, name]) => name ?? ""));
  return [...found].every((name) => allowed.includes(name)) ? found : undefined;
}

const roots = ["clickhouse", "yandex"];

function disablesLogs(text: string): boolean {
  const body = withoutComments(text);
  const found = elements(body, [...roots, ...silenced]);
  return found !== undefined && silenced.every((name) => new RegExp(`<${name}\\s+remove="?[^>]*>`).test(body));
}

function keepsQueryLogs(text: string, days: number): boolean {
  const inner = ["database", "table", "engine", "partition_by", "order_by", "ttl", "flush_interval_milliseconds"];
  const body = withoutComments(text);
  const found = elements(body, [...roots, ...kept, ...inner]);
  const intervals = [...body.matchAll(/(?:INTERVAL\s+|toIntervalDay\()(-?\d+)/gi)].map(([, number]) => Number(number));
  return (
    found !== undefined &&
    kept.every((name) => found.has(name)) &&
    intervals.length === kept.length &&
    intervals.every((number) => number === days)
  );
}

export const disabledLogsFile = "config.d/z_log_disable.xml";
export const queryLogsFile = "config.d/query_log_ttl.xml";

/** The files by name. `live` are those of the running installation, if there is one. */
export function configFiles(logTTL: number, live: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const running = (name: string, saysTheSame: (text: string) => boolean): string | undefined => {
    const text = live[name];
    return typeof text === "string" && saysTheSame(text) ? text : undefined;
  };
  return {
    [disabledLogsFile]: running(disabledLogsFile, disablesLogs) ?? disabledLogs(),
    [queryLogsFile]: running(queryLogsFile, (text) => keepsQueryLogs(text, logTTL)) ?? queryLogs(logTTL),
  };
}
