/**
 * Environment variables of containers.
 */

/**
 * A value that the container gets as it is. Kubernetes replaces `$(NAME)` in a value with another variable, such as one from
 * a Secret, and `$$` with `$`; texts of users must not mean that.
 */
export function literal(value: string): string {
  return value.replace(/\$(?=[$(])/g, "$$$$");
}
