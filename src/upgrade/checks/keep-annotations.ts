/**
 * P12: the platform's own namespace and stamp, which the installer's release would take along.
 */

import { stampObject } from "../versions.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { namespaceSource, stampSource } from "./installation.ts";
import { valueIn } from "./source.ts";

const { namespace, name } = stampObject;
const keepNamespace = `kubectl annotate namespace ${namespace} helm.sh/resource-policy=keep --overwrite`;
const keepStamp = `kubectl annotate configmap ${name} -n ${namespace} helm.sh/resource-policy=keep --overwrite`;

const finding = (object: Finding["object"], what: string, remedy: string): Finding => ({
  object,
  severity: "blocking",
  what,
  remedy: [remedy],
});

export const keepAnnotationCheck = defineCheck({
  id: "P12",
  title: "Keep annotations of the platform's own",
  severity: "blocking",
  why: "An object that leaves the installer's release is deleted with it, and a namespace takes everything in it along.",
  remedy: [keepNamespace, keepStamp],
  sources: { kept: namespaceSource, stamp: stampSource },
  classify({ kept, stamp }): Classified {
    const namespaceKept = valueIn(kept, undefined);
    const stamped = valueIn(stamp, undefined);
    return {
      applies: namespaceKept !== undefined || stamped !== undefined,
      findings: [
        ...(namespaceKept === false
          ? [finding({ group: "", kind: "Namespace", name: namespace }, "is not kept", keepNamespace)]
          : []),
        ...(stamped?.kept === false
          ? [finding({ group: "", kind: "ConfigMap", namespace, name }, "is not kept", keepStamp)]
          : []),
      ],
    };
  },
});
