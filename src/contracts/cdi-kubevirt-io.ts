/**
 * Containerized Data Importer: disks made from images.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { claimSpec, int32, looseConditions, oneOf, open, some, text, texts } from "./fields.ts";

const objectRef = Type.Object({ name: text(), namespace: text() });

/** One of them. */
const source = some({
  http: Type.Object({
    url: text(),
    secretRef: Type.Optional(text()),
    certConfigMap: Type.Optional(text()),
    extraHeaders: Type.Optional(texts()),
  }),
  pvc: objectRef,
  snapshot: objectRef,
  blank: open<Record<never, never>>(),
  upload: open<Record<never, never>>(),
});

export const DataVolume = defineContract({
  group: "cdi.kubevirt.io",
  version: "v1beta1",
  kind: "DataVolume",
  plural: "datavolumes",
  shortNames: ["dv", "dvs"],
  namespaced: true,
  schema: Type.Object({
    spec: some({
      contentType: oneOf("kubevirt", "archive"),
      source,
      sourceRef: Type.Object({ kind: text(), name: text(), namespace: Type.Optional(text()) }),
      storage: claimSpec(),
      pvc: claimSpec(),
      preallocation: Type.Boolean(),
    }),
    status: Type.Optional(
      some({
        claimName: text(),
        phase: text(),
        progress: text(),
        restartCount: int32(),
        conditions: looseConditions(),
      }),
    ),
  }),
  // The importer refuses changes of a DataVolume: another one means another, empty disk.
  impact: { otherwise: "losesData" },
});

export const cdiContracts = [DataVolume] as const;
