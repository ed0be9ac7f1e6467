/** The field by which a spec says who of its users may do what in one of its databases. */
import Type from "typebox";
import { listOf, open } from "./fields.ts";

interface RoleMembers {
  /** Bounds of a user's name. */
  readonly name?: { readonly pattern?: string; readonly maxLength?: number };
  readonly maxItems?: number;
  /** What each of the two lists means. */
  readonly admin: string;
  readonly readonly: string;
  readonly description: string;
}

/** Two lists of users, `admin` and `readonly`, either of which may be absent. */
export function roleMembers({ name = {}, maxItems, admin, readonly, description }: RoleMembers) {
  const members = (of: string) =>
    listOf(Type.String({ ...name }), {
      optional: true,
      ...(maxItems === undefined ? {} : { maxItems }),
      description: of,
    });
  return open({ admin: members(admin), readonly: members(readonly) }, { description });
}
