/**
 * An HTTP server that misbehaves to order, for what a real API server does not do when asked: dropped connections,
 * lost answers, broken streams. It knows nothing of Kubernetes.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { after } from "node:test";

export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers one request; the request's number counts from 0. */
export type Script = (request: SeenRequest, answer: ServerResponse, number: number) => void | Promise<void>;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
}

/** Starts a server on a free loopback port, ended after the test. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (incoming, answer) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
    const request = {
      method: incoming.method ?? "",
      url: new URL(incoming.url ?? "/", "http://server"),
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
    };
    seen.push(request);
    await script(request, answer, seen.length - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { url: `http://127.0.0.1:${port}`, seen };
}

/** A JSON answer. */
export function json(
  answer: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  answer.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}
