import { cases, denied } from "../../../test/support/check-cases.ts";
import { keepAnnotationCheck } from "./keep-annotations.ts";
import { read } from "./source.ts";

const stamp = (kept: boolean) => read({ text: "46", kept, left: [] });
const installation = (operator: boolean) =>
  read({ stamp: 46, version: undefined, present: true, operator, badStamp: undefined });
const facts = (namespaceKept: boolean | undefined, stampKept: boolean, operator = true, installer = true) => ({
  kept: read(namespaceKept),
  stamp: stamp(stampKept),
  installation: installation(operator),
  installer: read(installer),
});

cases(keepAnnotationCheck, [
  { why: "both are kept", facts: facts(true, true), is: "pass" },
  {
    why: "neither is",
    facts: facts(false, false),
    is: "fail",
    severity: "blocking",
    objects: ["cozy-system", "cozy-system/cozystack-version"],
  },
  { why: "the namespace alone", facts: facts(false, true), is: "fail", objects: ["cozy-system"] },
  { why: "the release is there although its operator is gone", facts: facts(false, true, false), is: "fail" },
  { why: "no installer is there to take them along", facts: facts(false, false, false, false), is: "notApplicable" },
  { why: "nothing installed", facts: { ...facts(undefined, true), stamp: read(undefined) }, is: "notApplicable" },
  { why: "a denied namespace", facts: { ...facts(true, true), kept: denied }, is: "couldNotTell" },
  { why: "denied releases", facts: { ...facts(true, true), installer: denied }, is: "couldNotTell" },
]);
