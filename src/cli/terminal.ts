/**
 * What the commands say and where: results on stdout, progress and questions on stderr. Colour only where a person reads.
 */
import { createInterface } from "node:readline/promises";
import { stringify } from "yaml";

/** How results are printed. */
export type OutputFormat = "text" | "json" | "yaml" | "name";

export interface Terminal {
  readonly format: OutputFormat;
  /** Whether stderr is read by a person: progress may be redrawn, questions may be asked. */
  readonly interactive: boolean;
  /** Marks for stdout and for stderr. */
  readonly paint: Paint;
  readonly paintProgress: Paint;
  /** Columns of the screen that stdout is; undefined when it is none. */
  readonly width: number | undefined;
  /** Size of the screen that stderr is; undefined when it is none. */
  readonly screen: { readonly columns: number; readonly rows: number } | undefined;
  /** One line of progress, to stderr. */
  progress(line: string): void;
  /** How many lines of progress there were so far. */
  readonly said: number;
  /** Text as it is, to stderr. */
  write(text: string): void;
  /** A result: as JSON or YAML of `value`, as one name a line, or as text made by `asText`. */
  result(value: unknown, names: readonly string[], asText: () => string): void;
  /** Asks a yes-or-no question; false without a person to answer. */
  confirm(question: string): Promise<boolean>;
}

/** Marks text for people; gives it back unchanged where colour is off. */
export interface Paint {
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

const codes = { good: 32, bad: 31, warn: 33, dim: 2, strong: 1 } as const;

/** Marks by ANSI sequences, or none. */
export function paintWith(colour: boolean): Paint {
  const marked = (code: number) => (text: string) => (colour && text !== "" ? `\u001b[${code}m${text}\u001b[0m` : text);
  return {
    good: marked(codes.good),
    bad: marked(codes.bad),
    warn: marked(codes.warn),
    dim: marked(codes.dim),
    strong: marked(codes.strong),
  };
}

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Some screens do not know their size, and say 0. */
const widthOf = ({ columns }: NodeJS.WriteStream): number => columns || 80;

/** @param environment `NO_COLOR` switches colour off (no-color.org) */
export function terminal(
  format: OutputFormat,
  streams: Streams = process,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Terminal {
  const { stdin, stdout, stderr } = streams;
  const plain = Boolean(environment["NO_COLOR"]) || environment["TERM"] === "dumb";
  const print = (text: string) => void stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  const isScreen = stderr.isTTY === true && environment["TERM"] !== "dumb";
  const interactive = isScreen && stdin.isTTY === true;
  let said = 0;
  return {
    format,
    interactive,
    paint: paintWith(stdout.isTTY === true && !plain),
    paintProgress: paintWith(stderr.isTTY === true && !plain),
    width: stdout.isTTY === true ? widthOf(stdout) : undefined,
    screen: isScreen ? { columns: widthOf(stderr), rows: stderr.rows || 24 } : undefined,
    get said() {
      return said;
    },
    progress(line) {
      said += 1;
      stderr.write(`${line}\n`);
    },
    write: (text) => void stderr.write(text),
    result(value, names, asText) {
      if (format === "json") print(JSON.stringify(value, null, 2));
      else if (format === "yaml") print(stringify(value, { aliasDuplicateObjects: false }));
      else if (format === "name") for (const name of names) print(name);
      else print(asText());
    },
    async confirm(question) {
      if (!interactive) return false;
      const questions = createInterface({ input: stdin, output: stderr });
      // While it reads, Ctrl-C is a key like others; it is to mean what it means elsewhere.
      questions.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
      try {
        return /^y(es)?$/i.test((await questions.question(`${question} [y/N] `)).trim());
      } finally {
        questions.close();
      }
    },
  };
}

/** The same terminal, which gets no more progress once the signal is aborted. */
export function untilAborted(terminal: Terminal, signal: AbortSignal): Terminal {
  return {
    ...terminal,
    get said() {
      return terminal.said;
    },
    progress(line) {
      if (!signal.aborted) terminal.progress(line);
    },
    write(text) {
      if (!signal.aborted) terminal.write(text);
    },
  };
}
