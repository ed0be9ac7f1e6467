/**
 * Passwords of an application's users, kept in one Secret with a key for each of them, or in a Secret each: what the user says,
 * else what the live Secret has, else a generated one.
 */
import { alphanumeric, type GeneratedSecret, type Generator, generatedSecret, type Need } from "./needs.ts";

/** Users by name, with the passwords that are set. An empty password is none. */
export type Users = Readonly<Record<string, { readonly password?: string }>>;

/** The password that is set for a user; undefined where it is to be generated. */
export function givenPassword(user: Users[string] | undefined): string | undefined {
  return user?.password === "" ? undefined : user?.password;
}

/**
 * The Secret `secret`, in which passwords of 16 letters and digits are generated for the users that have none. `fixed`: users
 * whose generated password a rotation leaves as it is.
 */
export function passwordsNeed(secret: string, users: Users, fixed: readonly string[] = []): Need<GeneratedSecret> {
  const names = Object.keys(users).filter((name) => givenPassword(users[name]) === undefined);
  const generators = names.map((name): [string, Generator] => [name, alphanumeric(16)]);
  return generatedSecret(secret, Object.fromEntries(generators), {
    rotate: names.filter((name) => !fixed.includes(name)),
  });
}

/** The password of every user, sorted by name. Users that only the Secret still knows have none. */
export function passwordsOf(users: Users, known: GeneratedSecret | undefined): ReadonlyMap<string, string> {
  const all = Object.keys(users).map((name): [string, string] => {
    const password = givenPassword(users[name]) ?? known?.values[name];
    if (password === undefined) throw new Error(`no password was generated for the user ${name}`);
    return [name, password];
  });
  return new Map(all.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names of users from which, behind a release's name, the name of such a Secret can be made. RE2. */
export const ownSecretName = "^[-a-z0-9]*[a-z0-9]([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

/**
 * Passwords of users that have a Secret each, named by `secretOf`, with the password under key `password`: one need for every
 * user that has none set.
 */
export function ownPasswordNeeds(
  users: Users,
  secretOf: (user: string) => string,
): Readonly<Record<string, Need<GeneratedSecret>>> {
  const names = Object.keys(users).filter((name) => givenPassword(users[name]) === undefined);
  return Object.fromEntries(
    names.map((name) => [name, generatedSecret(secretOf(name), { password: alphanumeric(16) })]),
  );
}

/** The password of one of these users: what is set, else what the need gave. */
export function ownPassword(users: Users, user: string, known: Readonly<Record<string, GeneratedSecret>>): string {
  const password = givenPassword(users[user]) ?? known[user]?.values["password"];
  if (password === undefined) throw new Error(`no password was generated for the user ${user}`);
  return password;
}
