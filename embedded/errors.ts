/** What can go wrong with the embedded control plane. Shaped as the program's other errors. */
export type EngineErrorCode =
  | "EngineToolchainMissing"
  | "EngineBuildFailed"
  | "EngineInUse"
  | "EngineStartFailed"
  | "EngineCrashed"
  | "EngineNotOurs"
  | "EngineStopTimeout"
  | "EtcdRefused";

export class EngineError extends Error {
  override readonly name = "EngineError";
  /** Stable; scripts may rely on it. */
  readonly code: EngineErrorCode;

  /** What the reader can do, as a sentence. */
  readonly remedy: string;

  constructor(code: EngineErrorCode, message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.remedy = remedy;
  }
}

/** Whether a caught value is the file system's error of that code (`ENOENT`, `EEXIST` ...). */
export function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
