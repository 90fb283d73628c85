import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { onTestFinished, vi } from 'vitest';

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

type Answer = (response: ServerResponse) => void;

/** A real receiver of webhooks on this machine, with a configurable response. */
export async function receiver() {
  const received: Received[] = [];
  let answer: Answer = (response) => response.writeHead(204).end();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (next: Answer) => {
      answer = next;
    },
  };
}

/**
 * Verifies a message like a receiver: returns its content if the signature is valid. The library uses the real clock.
 */
export function verified({ headers, body }: Received, secret: string) {
  vi.useFakeTimers({ toFake: ['Date'], now: Number(headers['webhook-timestamp']) * 1000 });
  try {
    // biome-ignore lint/suspicious/noExplicitAny: a message is arbitrary JSON
    return new Webhook(secret).verify(body, headers as Record<string, string>) as any;
  } finally {
    vi.useRealTimers();
  }
}
