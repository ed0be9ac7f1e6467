/**
 * From a Bucket's specification to its objects: the claim, one access and one Secret with readable credentials for each
 * user, and the web page.
 */

import { Secret } from "../../contracts/core.ts";
import { BucketAccess, BucketAccessClass, BucketClaim, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import { base64 } from "../../kube/secret-text.ts";
import { acmeLeftovers } from "../../sdk/acme-leftovers.ts";
import type { AppInput, Exposure, Leftover, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { type Credentials, credentialsOf, type ShownAs, shownCredentials } from "../../sdk/bucket-info.ts";
import { refuse } from "../../sdk/errors.ts";
import { changing, keep, type Rendered } from "../../sdk/manifest.ts";
import { optional, required } from "../../sdk/needs.ts";
import { hasStorage, ownStorage, requireStorage } from "../../sdk/object-storage.ts";
import { accessClass, bucketClass } from "./classes.ts";
import type { Spec } from "./spec.ts";
import { certificateName, ui, uiHost, uiName } from "./ui.ts";

type Input = AppInput<Spec>;

/** Names of the users, sorted: maps have no order, objects of a render do. */
const usersOf = (spec: Spec): readonly string[] => Object.keys(spec.users).sort();

/** The Secret in which the driver leaves a user's keys. */
const driverSecret = (release: string, user: string): string => `${release}-${user}`;

/** The Secret that shows them to people and programs. */
const credentialsSecret = (release: string, user: string): string => `${release}-${user}-credentials`;

/** An unknown pool shows as the class that is waited for; upstream leaves a claim that never becomes ready. */
export function needs(input: Input) {
  const { release, spec } = input;
  const users = usersOf(spec);
  const counts = ownStorage(input);
  const classes = new Set(users.map((user) => accessClass(input, spec.users[user]?.readonly === true)));
  return {
    ...(hasStorage(input)
      ? {
          bucketClass: required(BucketClass, bucketClass(input), { counts }),
          accessClasses: Object.fromEntries(
            [...classes].map((name) => [name, required(BucketAccessClass, name, { counts })]),
          ),
        }
      : {}),
    keys: Object.fromEntries(users.map((user) => [user, optional(Secret, driverSecret(release, user))])),
    shown: Object.fromEntries(users.map((user) => [user, optional(Secret, credentialsSecret(release, user))])),
  };
}

function claim(input: Input): Rendered {
  const { release, spec } = input;
  const object = BucketClaim(release, {
    labels: { "app.kubernetes.io/instance": release },
    spec: { bucketClassName: bucketClass(input), protocols: ["s3"] },
  });
  return spec.reclaimPolicy === "Retain" ? keep(object) : object;
}

function access(input: Input, user: string): Rendered {
  const { release, spec } = input;
  const object = BucketAccess(driverSecret(release, user), {
    spec: {
      bucketAccessClassName: accessClass(input, spec.users[user]?.readonly === true),
      bucketClaimName: release,
      credentialsSecretName: driverSecret(release, user),
      protocol: "s3",
    },
  });
  // The driver grants rights once: other rights mean another access with other keys.
  return changing(object, { replaceOn: ["/spec/bucketAccessClassName"] });
}

const shownAs: ShownAs = {
  accessKey: "accessKey",
  secretKey: "secretKey",
  address: "endpoint",
  bucketName: "bucketName",
};

function credentials(release: string, user: string, keys: Credentials): Rendered {
  return Secret(credentialsSecret(release, user), {
    labels: { "apps.cozystack.io/user-secret": "true" },
    type: "Opaque",
    data: {
      accessKey: base64(keys.accessKey),
      secretKey: base64(keys.secretKey),
      endpoint: base64(keys.endpoint),
      bucketName: base64(keys.bucketName),
    },
  });
}

/** What the schema's rule refuses too, where it is not asked: a render from a file has no API server. */
function checkUsers(users: readonly string[]): void {
  const clash = users.find((user) => users.includes(`${user}-credentials`));
  if (clash === undefined) return;
  refuse({
    code: "InvalidValue",
    field: `spec.users.${clash}`,
    message: `the Secrets of the users ${clash} and ${clash}-credentials would have the same name`,
    remedy: "Rename one of them.",
  });
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, context } = input;
  requireStorage(input);
  const users = usersOf(spec);
  checkUsers(users);
  const granted = users.flatMap((user) => {
    const keys = credentialsOf(input.needs.keys[user]) ?? shownCredentials(input.needs.shown[user], shownAs);
    return keys === undefined ? [] : [{ user, keys }];
  });
  const endpoint = granted.at(-1)?.keys.endpoint ?? `s3.${context.namespace.host}`;
  return [
    claim(input),
    ...users.map((user) => access(input, user)),
    ...granted.map(({ user, keys }) => credentials(release, user, keys)),
    ...ui(input, endpoint),
  ];
}

/** Always operational: what counts is whether the claim is ready, and how much it stores. */
export function monitors({ release }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      kind: "bucket",
      type: "s3",
      replicas: 0,
      minReplicas: 0,
      selector: { "app.kubernetes.io/instance": release },
    },
  ];
}

/** Without users there is no Secret to name; a rule without names would open every Secret of the tenant. */
export function expose({ release, spec }: Input): Exposure {
  return {
    secrets: usersOf(spec).map((user) => credentialsSecret(release, user)),
    ingresses: [uiName(release)],
    labelled: { secrets: { "apps.cozystack.io/user-secret": "true" } },
  };
}

/** What becomes of the objects in it is also the class's word: one with a lock keeps them anyhow. */
export function claims({ release }: Input): readonly StorageClaim[] {
  return [{ group: BucketClaim.group, kind: BucketClaim.kind, names: [release] }];
}

/** Of the web page. */
export function leftovers(input: Input): readonly Leftover[] {
  return acmeLeftovers(uiHost(input), certificateName(input.release));
}
