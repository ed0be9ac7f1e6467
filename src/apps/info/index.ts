import { Secret } from "../../contracts/core.ts";
import { subjects } from "../../sdk/access.ts";
import { clusterFlag, clusterText } from "../../sdk/context.ts";
import { defineApp } from "../../sdk/define-app.ts";
import { refuse } from "../../sdk/errors.ts";
import { Role, RoleBinding, roleRef, serviceAccount } from "../../sdk/rbac.ts";
import { appSpec } from "../../sdk/spec.ts";
import { kubeconfig } from "./kubeconfig.ts";

/** How the tenant's people and programs reach the API: a token of the tenant's account, and a kubeconfig for single sign-on. */
export const info = defineApp({
  kind: "Info",
  plural: "infos",
  release: "",
  module: true,
  catalog: { title: "Info", category: "Administration", summary: "Info" },
  spec: appSpec({}),

  render: ({ release, namespace, context }) => {
    const { cluster } = context;
    if (Object.keys(cluster).length === 0) {
      refuse({
        code: "InvalidPlatform",
        field: "_cluster",
        message: "the platform publishes no values, so there is no endpoint to give access to",
        remedy: "An administrator installs the platform, or passes a context with the platform's values.",
      });
    }
    const signOn = clusterFlag(cluster, "oidc-enabled");
    const dashboard = `${release}-dashboard-resources`;
    return [
      // Kubernetes fills in the token of the tenant's account, and takes it back when this is deleted.
      Secret(namespace, {
        annotations: { "kubernetes.io/service-account.name": namespace },
        type: "kubernetes.io/service-account-token",
      }),
      // Upstream writes it for any text in the flag, "false" included, and people fetch it by its name.
      ...(clusterText(cluster, "oidc-enabled") === ""
        ? []
        : [Secret(`kubeconfig-${namespace}`, { stringData: { kubeconfig: kubeconfig(namespace, cluster) } })]),
      Role(dashboard, {
        rules: [
          {
            apiGroups: [""],
            resources: ["secrets"],
            resourceNames: [signOn ? `kubeconfig-${namespace}` : namespace],
            verbs: ["get", "list", "watch"],
          },
        ],
      }),
      RoleBinding(dashboard, {
        roleRef: roleRef(dashboard),
        // The token is the account itself: nobody but the account may read it through this role.
        subjects: signOn ? subjects("view", context) : [serviceAccount(namespace, namespace)],
      }),
    ];
  },
});
