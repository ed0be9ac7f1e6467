/**
 * P12: the platform's own namespace and stamp, which the installer's release would take along.
 */

import { stampObject } from "../versions.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { installationSource, namespaceSource, stampSource } from "./installation.ts";
import { defineSource, read, valueIn } from "./source.ts";

const { namespace, name } = stampObject;
const keepNamespace = `kubectl annotate namespace ${namespace} helm.sh/resource-policy=keep --overwrite`;
const keepStamp = `kubectl annotate configmap ${name} -n ${namespace} helm.sh/resource-policy=keep --overwrite`;

const finding = (object: Finding["object"], what: string, remedy: string): Finding => ({
  object,
  severity: "blocking",
  what,
  remedy: [remedy],
});

/** Whether there is a release of the installer, which could take them along. */
const installerSource = defineSource([`secrets in ${namespace}`], async (reader) => {
  const secrets = await reader.list({ group: "", plural: "secrets" }, ({ metadata }) => metadata.name, {
    namespace,
    metadataOnly: true,
    labelSelector: "owner=helm,name=cozystack",
  });
  return secrets.is === "read" ? read(secrets.value.length > 0) : secrets;
});

export const keepAnnotationCheck = defineCheck({
  id: "P12",
  title: "Keep annotations of the platform's own",
  severity: "blocking",
  why: "An object that leaves the installer's release is deleted with it, and a namespace takes everything in it along.",
  remedy: [keepNamespace, keepStamp],
  sources: {
    kept: namespaceSource,
    stamp: stampSource,
    installation: installationSource,
    installer: installerSource,
  },
  classify({ kept, stamp, installation, installer }): Classified {
    const namespaceKept = valueIn(kept, undefined);
    const stamped = valueIn(stamp, undefined);
    if (!valueIn(installer, false) && valueIn(installation, undefined)?.operator !== true) return { applies: false };
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
