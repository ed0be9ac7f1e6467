/** What can go wrong with the embedded control plane. The message names the object, the reason and the way out. */
export type EngineErrorCode =
  | "EngineToolchainMissing"
  | "EngineBuildFailed"
  | "EngineInUse"
  | "EngineStartFailed"
  | "EngineCrashed"
  | "EngineNotOurs"
  | "EngineStopTimeout";

export class EngineError extends Error {
  override readonly name = "EngineError";
  /** Stable; scripts may rely on it. */
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a caught value is the file system's error of that code (`ENOENT`, `EEXIST` ...). */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
