/**
 * One request and its whole answer, with no stream in between: cheaper where the answer is held whole anyway.
 */
import type { Dispatcher } from "undici";

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Rejects with the connection's error, or with the signal's reason. */
export function exchange(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let running: Dispatcher.DispatchController | undefined;
    let status = 0;
    let headers: Answer["headers"] = {};
    const chunks: Buffer[] = [];
    const aborted = (): Error => (signal?.reason instanceof Error ? signal.reason : new Error("aborted"));
    const abort = () => {
      running?.abort(aborted());
      reject(signal?.reason);
    };
    if (signal?.aborted === true) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    const ended = () => signal?.removeEventListener("abort", abort);
    dispatcher.dispatch(options, {
      onRequestStart(controller) {
        running = controller;
        // It was aborted while it waited for a connection.
        if (signal?.aborted === true) controller.abort(aborted());
      },
      onResponseStart(_, code, given) {
        status = code;
        headers = given;
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        ended();
        const [only] = chunks;
        const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
        resolve({ status, headers, text: body.toString("utf8") });
      },
      onResponseError(_, error) {
        ended();
        reject(error);
      },
    });
  });
}
