/**
 * P1 and P2: whether the version to go to is one to go to, and by which versions it is reached.
 */
import type { ObjectRef } from "../../kube/object.ts";
import type { PathRefusal } from "../path.ts";
import { compatibleVersion, stampObject, versionText } from "../versions.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { pathSource } from "./installation.ts";
import { valueIn } from "./source.ts";

const stamp: ObjectRef = {
  group: "",
  kind: "ConfigMap",
  namespace: stampObject.namespace,
  name: stampObject.name,
};

const blocking = (what: string, remedy: string): Finding => ({
  object: stamp,
  severity: "blocking",
  what,
  remedy: [remedy],
});

const ofTarget: readonly PathRefusal["code"][] = ["FaultyTarget", "UnknownTarget"];

export const targetCheck = defineCheck({
  id: "P1",
  title: "The version to go to",
  severity: "blocking",
  why: "Early versions of 1.6 have faults that nobody notices when they strike: an audit that is always clean, backups that stop, webhooks with an expired certificate.",
  remedy: [`cozystack upgrade check --to ${versionText(compatibleVersion)}`],
  sources: { plan: pathSource },
  classify({ plan }): Classified {
    const known = valueIn(plan, undefined);
    if (known === undefined || !known.installation.present) return { applies: false };
    const refused = known.path.refusals.filter(({ code }) => ofTarget.includes(code));
    return { findings: refused.map(({ message, remedy }) => blocking(message, remedy)) };
  },
});

export const pathCheck = defineCheck({
  id: "P2",
  title: "The way to that version",
  severity: "blocking",
  why: "Version 1.5.4 pins the bootstrap templates of tenants' clusters. Without it they are deleted while the machines made from them are being replaced.",
  remedy: [
    "helm upgrade cozystack oci://ghcr.io/cozystack/cozystack/cozy-installer --version 1.5.4 --namespace cozy-system --reuse-values",
  ],
  sources: { plan: pathSource },
  classify({ plan }): Classified {
    const known = valueIn(plan, undefined);
    if (known === undefined || !known.installation.present) return { applies: false };
    const { path, installation } = known;
    const bad = installation.badStamp === undefined ? [] : ["data.version of the stamp is no number of a migration"];
    const refused = path.refusals.filter(({ code }) => !ofTarget.includes(code));
    const before = path.steps.filter(({ by }) => by === "upstream");
    return {
      findings: [
        ...refused.map(({ message, remedy }) => blocking([...bad, message].join("; "), remedy)),
        ...before.map(({ from, to, reasons }) =>
          blocking(
            `${from} has to become ${to} first: ${reasons.join("; ")}`,
            `helm upgrade cozystack oci://ghcr.io/cozystack/cozystack/cozy-installer --version ${to} --namespace ${stampObject.namespace} --reuse-values`,
          ),
        ),
      ],
      notes: path.notes,
    };
  },
});
