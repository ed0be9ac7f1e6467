/**
 * Makes Grafana's members those of a list: what is missing is added, other roles are put right, others are taken out. Every
 * step looks like done when it is done, so that a run that ended half way is simply begun anew.
 */
import type { GrafanaApi, Member, Role } from "./grafana-api.ts";

export interface Wanted {
  readonly email: string;
  readonly role: Role;
}

export interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/** Grafana knows people by login and by email, whatever the case of their letters. */
const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const isMember = ({ email, login }: Member, wanted: string): boolean => same(email, wanted) || same(login, wanted);

/** The list without repetitions: of several lines for one person the last holds. */
export function withoutRepetition(list: readonly Wanted[]): readonly Wanted[] {
  const last = new Map(list.map((one) => [one.email.toLowerCase(), one]));
  return [...last.values()];
}

/**
 * `administrator`: login of the account that is never touched. `password`: makes one for a new account, which signs in
 * elsewhere and never uses it.
 */
export async function reconcileMembers(
  api: GrafanaApi,
  list: readonly Wanted[],
  administrator: string,
  password: () => string,
): Promise<Changes> {
  const wanted = withoutRepetition(list).filter(({ email }) => !same(email, administrator));
  const members = await api.members();
  let added = 0;
  let changed = 0;
  for (const { email, role } of wanted) {
    const member = members.find((each) => isMember(each, email));
    if (member === undefined) {
      await add(api, email, role, password);
      added += 1;
    } else if (member.role !== role) {
      await api.setRole(member.id, role);
      changed += 1;
    }
  }
  const orphans = members.filter(
    (member) => !same(member.login, administrator) && !wanted.some(({ email }) => isMember(member, email)),
  );
  for (const { id } of orphans) await api.dismiss(id);
  return { added, changed, removed: orphans.length };
}

async function add(api: GrafanaApi, email: string, role: Role, password: () => string): Promise<void> {
  const known = await api.find(email);
  // Between looking and making it another may have made it: then it is found.
  const id = known ?? (await api.create(email, password())) ?? (await api.find(email));
  // A new account is a member at once, with the role that Grafana gives to everybody.
  if (!(await api.admit(email, role)) && id !== undefined) await api.setRole(id, role);
}
