export {
  ClusterRole,
  type ClusterRole as ClusterRoleObject,
  ClusterRoleBinding,
  type PolicyRule as RbacRule,
  Role,
  type Role as RoleObject,
  RoleBinding,
  type RoleBinding as RoleBindingObject,
  type RoleRef,
  type Subject,
} from "../kube/kinds/access.ts";
