/** What a user says about a disk. */
import Type, { type Static } from "typebox";
import {
  appSpec,
  flag,
  group,
  growOnly,
  immutable,
  open,
  rule,
  storageClassName,
  text,
  volumeSize,
} from "../../sdk/spec.ts";

/** Names of catalogue images hold dots, as in `ubuntu-24.04`; both are ends of names of claims. */
const imageName = "^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$";
const diskName = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$";

const given = ["image", "http", "upload", "disk"].map((source) => `(has(self.${source}) ? 1 : 0)`).join(" + ");

export const VMDiskSpec = appSpec(
  {
    source: immutable(
      group(
        {
          image: Type.Optional(
            open(
              {
                name: text({
                  required: true,
                  pattern: imageName,
                  maxLength: 235,
                  description: "Name of the image in the catalogue.",
                  options: "image",
                }),
              },
              { description: "A copy of an image of the catalogue." },
            ),
          ),
          http: Type.Optional(
            open(
              {
                url: text({
                  required: true,
                  pattern: "^https?://",
                  maxLength: 2048,
                  description: "Address of the image.",
                }),
              },
              { description: "An image fetched by HTTP." },
            ),
          ),
          upload: Type.Optional(open({}, { description: "An image that you upload afterwards." })),
          disk: Type.Optional(
            open(
              { name: text({ required: true, pattern: diskName, maxLength: 58, description: "Name of the VMDisk." }) },
              { description: "A copy of another disk of the tenant." },
            ),
          ),
        },
        { description: "What is on the disk at first: one of these. Empty: nothing." },
      ),
    ),
    optical: flag({ default: false, description: "Attach it as a CD drive, as for an ISO image." }),
    storage: volumeSize({ default: "5Gi", description: "Size of the disk; it can grow." }),
    storageClass: immutable(storageClassName({ default: "replicated" })),
  },
  [
    growOnly("storage"),
    rule({
      path: "source",
      rule: `${given} <= 1`,
      message: "exactly one source may be given: image, http, upload or disk; remove the others",
    }),
  ],
  { storesData: true },
);

export type Spec = Static<typeof VMDiskSpec.schema>;
