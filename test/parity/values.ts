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

/** Whether a list has an entry that is no host's name and no address, with or without a port. */
export function hasNoEndpoint(list: unknown): boolean {
  return texts(list).some((entry) => {
    const [, inBrackets, host, port = "1"] = /^(?:\[(.*)\]|([^:]*))(?::([0-9]+))?$/s.exec(entry) ?? [];
    const isHost = inBrackets === undefined ? !hasNoHost([host ?? ""]) : isIP(inBrackets) === 6;
    return !isHost || Number(port) < 1 || Number(port) > 65_535;
  });
}
