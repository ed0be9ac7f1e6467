import { cases, denied } from "../../../test/support/check-cases.ts";
import { keepAnnotationCheck } from "./keep-annotations.ts";
import { read } from "./source.ts";

const stamp = (kept: boolean) => read({ text: "46", kept, left: [] });

cases(keepAnnotationCheck, [
  { why: "both are kept", facts: { kept: read(true), stamp: stamp(true) }, is: "pass" },
  {
    why: "neither is",
    facts: { kept: read(false), stamp: stamp(false) },
    is: "fail",
    severity: "blocking",
    objects: ["cozy-system", "cozy-system/cozystack-version"],
  },
  {
    why: "the namespace alone",
    facts: { kept: read(false), stamp: stamp(true) },
    is: "fail",
    objects: ["cozy-system"],
  },
  { why: "nothing installed", facts: { kept: read(undefined), stamp: read(undefined) }, is: "notApplicable" },
  { why: "a denied namespace", facts: { kept: denied, stamp: stamp(true) }, is: "couldNotTell" },
]);
