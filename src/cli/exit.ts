/**
 * How a command ends. Scripts rely on these numbers.
 */

export const exitCodes = {
  /** Done; for `plan`: nothing would change; for `why`: it is ready. */
  ok: 0,
  /** Failed; the message says why and what to do. */
  error: 1,
  /** For `plan`: there are changes. For `why` and `status`: not ready. For `upgrade check`: a check fails. */
  changes: 2,
  /** For `upgrade check`: something could not be read, so that nobody knows. */
  unknown: 3,
  /** Wrong usage. */
  usage: 64,
  /** Ended by Ctrl-C before it was done, as shells expect. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
