/**
 * P19: applications whose storage goes with them.
 */
import { applicationGroup, applicationRef, applicationsOf, type Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { textIn } from "./fields.ts";
import { type Answer, defineSource, read, type Source, valueIn } from "./source.ts";

/** Kinds that leave nothing behind any more, and what they used to leave. */
const kinds = [
  { kind: "ClickHouse", plural: "clickhouses", storage: "volumes of data, logs and keepers" },
  { kind: "Qdrant", plural: "qdrants", storage: "volumes" },
  { kind: "OpenBAO", plural: "openbaos", storage: "volumes" },
  { kind: "Monitoring", plural: "monitorings", storage: "volumes of metrics and logs" },
  { kind: "SeaweedFS", plural: "seaweedfses", storage: "volumes with all objects" },
  { kind: "Etcd", plural: "etcds", storage: "volumes of the members" },
  { kind: "Harbor", plural: "harbors", storage: "volumes of the job service and of the scanner" },
  { kind: "MariaDB", plural: "mariadbs", storage: "generated Secrets" },
] as const;

interface Losing extends Place {
  readonly kind: string;
  readonly plural: string;
  readonly storage: string;
  readonly retains: boolean;
}

const sources = kinds.map(({ kind, plural, storage }) =>
  applicationsOf({ kind, plural }, (spec) => ({
    kind,
    plural,
    storage,
    retains: textIn(spec, "reclaimPolicy") === "Retain",
  })),
);

const losingSource: Source<readonly Losing[]> = defineSource(
  sources.flatMap(({ reads }) => reads),
  async (reader): Promise<Answer<readonly Losing[]>> => {
    const answers = await Promise.all(sources.map((source) => source.answer(reader)));
    for (const answer of answers) if (answer.is === "unreadable") return answer;
    return read(answers.flatMap((answer) => valueIn(answer, [])));
  },
);

export const storageCleanupCheck = defineCheck({
  id: "P19",
  title: "Deletion of applications with their storage",
  severity: "information",
  why: "Deleting an application deletes its storage now. It used to leave volumes behind, from which data could be had again.",
  remedy: [
    "Take a backup before an application is deleted, or set spec.reclaimPolicy to Retain once this version runs.",
  ],
  sources: { losing: losingSource },
  classify({ losing }): Classified {
    const all = valueIn(losing, []);
    return {
      applies: all.length > 0,
      findings: all
        .filter(({ retains }) => !retains)
        .map(
          (one): Finding => ({
            object: applicationRef(one.kind, one),
            severity: "information",
            what: `takes its ${one.storage} along when it is deleted`,
            remedy: [
              `kubectl patch ${one.plural}.${applicationGroup} ${one.name} -n ${one.namespace} --type merge -p '{"spec":{"reclaimPolicy":"Retain"}}'   # once this version runs`,
            ],
          }),
        ),
    };
  },
});
