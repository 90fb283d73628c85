import { once } from 'node:events';
import { connect } from 'node:net';

interface Request {
  method?: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string;
}

/** A request as bytes, created before a measurement starts. */
export function toBytes({ method = 'GET', path, headers, body = '' }: Request): Buffer {
  const all = { host: '127.0.0.1', ...headers, 'content-length': Buffer.byteLength(body) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)]);
}

/** The response once it is complete. */
function readAnswer(received: string): { status: number; text: string } | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const length = Number(/content-length: *(\d+)/i.exec(received.slice(0, end))?.[1] ?? 0);
  if (received.length < end + 4 + length) return undefined;
  return { status: Number(received.slice(9, 12)), text: received.slice(end + 4) };
}

export interface RawConnection {
  sendRequest(request: Buffer): Promise<{ status: number; text: string }>;
  close(): void;
}

/** A raw socket, so light that the server is the bottleneck; one request at a time. */
export async function openConnection(port: number): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  let pending: PromiseWithResolvers<{ status: number; text: string }> | undefined;
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    received += chunk;
    const answer = readAnswer(received);
    if (!answer) return;
    received = '';
    pending?.resolve(answer);
  });
  socket.on('close', () => pending?.reject(new Error('The server closed a connection.')));
  return {
    sendRequest(request: Buffer): Promise<{ status: number; text: string }> {
      pending = Promise.withResolvers();
      socket.write(request);
      return pending.promise;
    },
    close: () => void socket.destroy(),
  };
}
