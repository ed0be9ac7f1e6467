/** From a NATS specification to its objects. */

import type { Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { clusterDomain } from "../../sdk/cluster.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { serversMonitor } from "../../sdk/monitor.ts";
import { authoritySecrets, externalHost, ownAuthority, serviceNames, tlsEnabled } from "../../sdk/tls.ts";
import { check } from "./check.ts";
import { release as chartRelease, claimsNeed, serverLabels, setNeed } from "./release.ts";
import type { Input, Spec } from "./spec.ts";
import { credentialsNeed, credentialsSecret, users } from "./users.ts";

export function needs(input: Input) {
  return { credentials: credentialsNeed(input), set: setNeed(input), claims: claimsNeed(input) };
}

/** Every name by which clients and servers reach a server. */
function certificates(input: Input): readonly Rendered[] {
  const { release, namespace, spec, context } = input;
  if (!tlsEnabled(spec)) return [];
  const headless = `${release}-headless`;
  const names = [
    ...serviceNames(release, input),
    ...serviceNames(headless, input),
    `*.${headless}.${namespace}.svc.${clusterDomain(context)}`,
    ...(spec.external ? [externalHost(release, context)] : []),
  ];
  return ownAuthority(input, names);
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { spec, needs: known } = input;
  check(spec);
  return [...users(input, known.credentials), ...certificates(input), ...chartRelease(input, known)];
}

export function monitors(input: Input): readonly Monitor[] {
  return [serversMonitor(input, serverLabels(input.release))];
}

export function expose({ release }: Input): Exposure {
  return { services: [release], secrets: [credentialsSecret(release)], monitors: [release] };
}

/** Messages, users' passwords, and the authority that clients trust, which cert-manager leaves behind. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [
    { group: "", kind: "PersistentVolumeClaim", labels: serverLabels(release) },
    { group: "", kind: "Secret", names: [credentialsSecret(release), ...authoritySecrets(release)] },
  ];
}
