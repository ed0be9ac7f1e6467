/**
 * What a check is: one value that says what it reads, and a pure function from what was read to what it found.
 *
 * A verdict is never chosen by a check, it follows from what the check found: what could not be read is never clean.
 */
import type { ObjectRef } from "../../kube/object.ts";
import { type Answer, type Reader, type Source, type Unread, unreadable } from "./source.ts";

/**
 * `pass`: looked at, and nothing is in the way. `fail`: there are findings. `notApplicable`: there is nothing that the check is about.
 * `couldNotTell`: something could not be read, whatever else was found.
 */
export type Verdict = "pass" | "fail" | "notApplicable" | "couldNotTell";

/**
 * `blocking`: an upgrade must not begin: it would be refused half way, or lose something without a word. `warning`: something stops
 * working, and can be mended afterwards. `information`: something behaves in another way.
 */
export type Severity = "blocking" | "warning" | "information";

/** One object that is not as it should be. */
export interface Finding {
  readonly object: ObjectRef;
  readonly severity: Severity;
  /** What is wrong with it, without the values of Secrets. */
  readonly what: string;
  /** Commands, or sentences where no command does it. */
  readonly remedy: readonly string[];
}

/** What a check found. */
export interface Outcome {
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
  readonly unread: readonly Unread[];
  /** What is good to know beside the verdict. */
  readonly notes: readonly string[];
}

/** What a classification says; the verdict follows from it. */
export interface Classified {
  /** Whether there is anything that the check is about. Default true. */
  readonly applies?: boolean;
  readonly findings?: readonly Finding[];
  /** What could not be read beside the answers of the sources, such as single clusters. */
  readonly unread?: readonly Unread[];
  readonly notes?: readonly string[];
}

/** The verdict of what was found. */
export function outcomeOf(classified: Classified, unreadAnswers: readonly Unread[] = []): Outcome {
  const { applies = true, findings = [], notes = [] } = classified;
  const unread = [...unreadAnswers, ...(classified.unread ?? [])];
  const verdict: Verdict =
    unread.length > 0 ? "couldNotTell" : findings.length > 0 ? "fail" : applies ? "pass" : "notApplicable";
  return { verdict, findings, unread, notes };
}

/** What people are told of a check, whatever it found. */
export interface CheckText {
  /** `P1` to `P21`, as in the documentation. Stable. */
  readonly id: string;
  /** In a few words. */
  readonly title: string;
  /** The worst that a finding of it means. */
  readonly severity: Severity;
  /** What happens to whoever goes on all the same. */
  readonly why: string;
  /** What to do, as commands where commands do it. Findings have their own, with names filled in. */
  readonly remedy: readonly string[];
}

/** A check as the command, the rehearsal and the documentation see it. */
export interface Check extends CheckText {
  /** What it reads: kinds as `PLURAL.GROUP`, single objects with their place. */
  readonly reads: readonly string[];
  /** Reads and classifies. Rejects only when the reader was told to end. */
  run(reader: Reader): Promise<Outcome>;
}

type Sources = Readonly<Record<string, Source<unknown>>>;

/** Answers by the names that a check gave its sources. */
export type Facts<S extends Sources> = { readonly [K in keyof S]: S[K] extends Source<infer T> ? Answer<T> : never };

/** A check with its classification, for tests. */
export interface ClassifiedCheck<S extends Sources> extends Check {
  /** Pure. */
  classify(facts: Facts<S>): Outcome;
}

/** Reads every source, at the same time, as the reader's own bounds allow. */
async function factsOf<S extends Sources>(sources: S, reader: Reader): Promise<Facts<S>>;
// The compiler cannot see that the entries of a mapped type are those of what it maps: the overload states it, here only.
async function factsOf(sources: Sources, reader: Reader): Promise<object> {
  const names = Object.keys(sources);
  const answers = await Promise.all(names.map((name) => sources[name]?.answer(reader)));
  return Object.fromEntries(names.map((name, index) => [name, answers[index]]));
}

/**
 * Makes a check of sources and of a pure function over their answers. An answer that is `unreadable` makes the outcome
 * `couldNotTell` without the function's doing; it still is asked, for what can be said all the same.
 */
export function defineCheck<S extends Sources>(
  text: CheckText & { readonly sources: S; readonly classify: (facts: Facts<S>) => Classified },
): ClassifiedCheck<S> {
  const { sources, classify, ...rest } = text;
  const judged = (facts: Facts<S>): Outcome => outcomeOf(classify(facts), unreadable(Object.values(facts)));
  return {
    ...rest,
    reads: [...new Set(Object.values(sources).flatMap((source) => source.reads))],
    classify: judged,
    run: async (reader) => judged(await factsOf(sources, reader)),
  };
}
