/** Waiting for what the API server's controllers bring about in their own time. */
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks until the answer is neither undefined nor false, and gives it. Fails, with the last answer, after `seconds` (default 30).
 */
export async function eventually<T>(what: string, ask: () => Promise<T | undefined | false>, seconds = 30): Promise<T> {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`not within ${seconds} s: ${what}`);
    await sleep(50);
  }
}
