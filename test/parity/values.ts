/** What deviations ask of a case's values. */
import { isIP } from "node:net";

const texts = (list: unknown): readonly string[] => (Array.isArray(list) ? list.map(String) : []);

/** Whether a list has an entry that is no address and no prefix. */
export function hasNoPrefix(list: unknown): boolean {
  return texts(list).some((entry) => isIP(entry.replace(/\/[0-9]{1,3}$/, "")) === 0);
}

/** Whether a list has an entry that is no host's name and no address. */
export function hasNoHost(list: unknown): boolean {
  return texts(list).some((entry) => isIP(entry) === 0 && !/^[0-9A-Za-z]([-._0-9A-Za-z]*[0-9A-Za-z])?$/.test(entry));
}
