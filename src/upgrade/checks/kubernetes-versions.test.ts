import { cases, denied } from "../../../test/support/check-cases.ts";
import { clusterOf } from "../../../test/support/upgrade-objects.ts";
import { kubernetesVersionCheck } from "./kubernetes-versions.ts";
import { read } from "./source.ts";

const installation = read({ stamp: 46, version: undefined, present: true, operator: true, badStamp: undefined });
const server = (minor: number) => read({ text: `v1.${minor}.2`, minor });
const facts = (minor: number, ...clusters: readonly Parameters<typeof clusterOf>[0][]) => ({
  installation,
  server: server(minor),
  clusters: read(clusters.map(clusterOf)),
});

cases(kubernetesVersionCheck, [
  { why: "1.33", facts: facts(33, { flux: true, version: "v1.33" }), is: "pass" },
  {
    why: "1.32 of this cluster (feature 45)",
    facts: facts(32),
    is: "fail",
    severity: "blocking",
    says: /v1\.32\.2/,
    never: /nothing keeps/,
  },
  { why: "1.29, where nothing guards deletions either", facts: facts(29), is: "fail", says: /nothing keeps/ },
  {
    why: "Flux in an older cluster of a tenant",
    facts: facts(34, { flux: true, version: "v1.32" }, { name: "other", flux: false, version: "v1.31" }),
    is: "fail",
    severity: "blocking",
    objects: ["tenant-a/prod"],
  },
  {
    why: "nothing installed",
    facts: {
      ...facts(30),
      installation: read({ stamp: undefined, version: undefined, present: false, operator: true, badStamp: undefined }),
    },
    is: "notApplicable",
  },
  { why: "no answer of the version", facts: { ...facts(33), server: denied }, is: "couldNotTell" },
  { why: "denied clusters", facts: { ...facts(33), clusters: denied }, is: "couldNotTell" },
]);
