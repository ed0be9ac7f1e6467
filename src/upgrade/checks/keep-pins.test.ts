import { cases, denied } from "../../../test/support/check-cases.ts";
import { keepPinCheck } from "./keep-pins.ts";
import { notServed, read } from "./source.ts";

const pin = (name: string, kept: boolean, ofHelm = true) => ({ namespace: "tenant-a", name, kept, ofHelm });
const none = read([]);

cases(keepPinCheck, [
  { why: "all are kept", facts: { templates: read([pin("a", true)]), configs: none }, is: "pass" },
  {
    why: "each that is not kept is named (feature 22)",
    facts: { templates: read([pin("a", true), pin("b", false)]), configs: read([pin("c", false)]) },
    is: "fail",
    severity: "blocking",
    objects: ["tenant-a/b", "tenant-a/c"],
    says: /kubectl annotate kubeadmconfigtemplates\.bootstrap\.cluster\.x-k8s\.io b -n tenant-a/,
  },
  {
    why: "those of Cluster API are not Helm's to delete",
    facts: { templates: none, configs: read([pin("machine", false, false)]) },
    is: "notApplicable",
  },
  { why: "no such kind", facts: { templates: notServed, configs: notServed }, is: "notApplicable" },
  { why: "a denied list", facts: { templates: denied, configs: none }, is: "couldNotTell" },
  {
    why: "a denied list beside a finding",
    facts: { templates: denied, configs: read([pin("c", false)]) },
    is: "couldNotTell",
    objects: ["tenant-a/c"],
  },
]);
