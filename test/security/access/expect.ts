/** The table as a function of a cell. */
import { type Area, type Role, type Row, rows, type Verb, verbsOf } from "./table.ts";

/** `plural`, `group/plural`, with `/subresource` where there is one. */
export interface Target {
  readonly group: string;
  readonly plural: string;
  readonly subresource?: string;
}

export const nameOf = ({ group, plural, subresource }: Target): string =>
  [...(group === "" ? [] : [group]), plural, ...(subresource === undefined ? [] : [subresource])].join("/");

export interface Question {
  readonly role: Role;
  readonly area: Area;
  readonly target: Target;
  readonly verb: Verb;
}

function concerns(row: Row, { area, target }: Question): boolean {
  if (!row.in.includes(area)) return false;
  const all = target.subresource === undefined ? undefined : `${target.group}/*/${target.subresource}`;
  return row.kinds.some((kind) => kind === nameOf(target) || kind === all);
}

/** Whether the table lets it be done. What no row speaks of is nobody's. */
export function isAllowed(question: Question): boolean {
  return rows.some((row) => {
    const may = row.may[question.role];
    return may !== undefined && concerns(row, question) && verbsOf(may).includes(question.verb);
  });
}
