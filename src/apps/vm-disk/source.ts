/**
 * Where a disk's content comes from, and what that is called in a DataVolume.
 */
import type { AppInput } from "../../sdk/app.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Spec } from "./spec.ts";

/** Namespace of the catalogue of images; each is a claim `vm-default-images-<name>`. */
const imageNamespace = "cozy-public";

const kinds = ["image", "http", "upload", "disk"] as const;

/** What the schema's rule refuses too, where it is asked: a render from a file has no API server. */
function checkOne(source: Spec["source"]): void {
  const given = kinds.filter((kind) => source[kind] !== undefined);
  if (given.length <= 1) return;
  refuse({
    code: "InvalidValue",
    field: "spec.source",
    message: `${given.join(" and ")} are given, but a disk has one source`,
    remedy: "Keep one of them.",
  });
}

/** The DataVolume's source; a blank disk when none is given. */
export function sourceOf({ spec, namespace, name, release }: AppInput<Spec>) {
  const { image, http, upload, disk } = spec.source;
  checkOne(spec.source);
  if (image !== undefined) return { pvc: { name: `vm-default-images-${image.name}`, namespace: imageNamespace } };
  if (http !== undefined) return { http: { url: http.url } };
  if (upload !== undefined) return { upload: {} };
  if (disk === undefined) return { blank: {} };
  if (disk.name === name) {
    refuse({
      code: "InvalidValue",
      field: "spec.source.disk.name",
      message: `the disk ${name} would be a copy of itself (${release})`,
      remedy: "Name another disk of the tenant.",
    });
  }
  return { pvc: { name: `vm-disk-${disk.name}`, namespace } };
}
