import { cases, denied } from "../../../test/support/check-cases.ts";
import { planPath } from "../path.ts";
import { compatibleVersion, parseVersion } from "../versions.ts";
import type { Installation } from "./installation.ts";
import { read } from "./source.ts";
import { pathCheck, targetCheck } from "./version-path.ts";

function plan(given: Partial<Installation>, to = "1.6.2") {
  const installation: Installation = {
    stamp: 46,
    version: undefined,
    present: true,
    operator: true,
    badStamp: undefined,
    ...given,
  };
  const target = parseVersion(to) ?? compatibleVersion;
  return { plan: read({ installation, target, path: planPath(installation, target) }) };
}

cases(targetCheck, [
  { why: "1.6.2", facts: plan({}), is: "pass" },
  { why: "1.6.0 with its silent faults (feature 12)", facts: plan({}, "1.6.0"), is: "fail", says: /nobody notices/ },
  { why: "nothing installed", facts: plan({ present: false, stamp: undefined }), is: "notApplicable" },
  { why: "the stamp cannot be read", facts: { plan: denied }, is: "couldNotTell" },
]);

cases(pathCheck, [
  { why: "1.5.4", facts: plan({ stamp: 46 }), is: "pass" },
  { why: "stamp 45 goes through 1.5.4 (feature 19)", facts: plan({ stamp: 45 }), is: "fail", says: /1\.5\.4 first/ },
  { why: "no stamp", facts: plan({ stamp: undefined }), is: "fail", says: /no stamp/ },
  { why: "no number", facts: plan({ stamp: undefined, badStamp: "x" }), is: "fail", says: /no number/ },
  { why: "nothing installed", facts: plan({ present: false, stamp: undefined }), is: "notApplicable" },
  { why: "the stamp cannot be read", facts: { plan: denied }, is: "couldNotTell" },
]);
