/** S3 buckets from the object storage that the tenant has or inherits, with keys for each user and a web page. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, leftovers, monitors, needs, render } from "./render.ts";
import { BucketSpec } from "./spec.ts";

export const bucket = defineApp({
  kind: "Bucket",
  plural: "buckets",
  release: "bucket-",
  catalog: {
    title: "Bucket",
    titlePlural: "Buckets",
    category: "IaaS",
    weight: 80,
    tags: ["storage"],
    summary: "S3 compatible storage",
    fieldOrder: ["locking", "storagePool", "users"],
  },
  spec: BucketSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
  leftovers,
});
