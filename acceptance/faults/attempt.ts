import http from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt } from './hostile/mutations.ts';

/** The result of an attempt: the response status, 0 if none can be expected, or that it hung. */
export interface Outcome {
  status: number | 'hung';
  text: string;
}

/** Longer than the server allows a request to arrive. */
const PATIENCE_MS = 20_000;
/** A response may be delayed by other causes, so wait for it. */
const LATE_MS = 60_000;
/** Bytes that are not HTTP get a response once the request times out. */
const RAW_PATIENCE_MS = 8000;

const toBytes = ({ method, path, headers, body }: Attempt): Buffer => {
  const length: [string, string][] = body ? [['content-length', String(body.length)]] : [];
  const lines = [...headers, ...length, ['connection', 'close']].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    body ?? Buffer.alloc(0),
  ]);
};

/** The raw bytes, sent as configured. */
function sendBytes(port: number, attempt: Attempt): Promise<Outcome> {
  const bytes = attempt.way === 'raw' && attempt.body ? attempt.body : toBytes(attempt);
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const chunks: Buffer[] = [];
    const end = (status?: 'hung') => {
      clearTimeout(timer);
      socket.destroy();
      const text = Buffer.concat(chunks).toString('latin1');
      const answered = /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
      // A connection that stays open after a response does not hang.
      resolve({ status: answered ? Number(answered) : (status ?? 0), text });
    };
    // Without a response by then, a busy server gets as long as for any other request.
    const endIfAnswered = () => {
      if (chunks.length > 0) end('hung');
      else timer = setTimeout(end, PATIENCE_MS - RAW_PATIENCE_MS, 'hung');
    };
    let timer =
      attempt.way === 'raw' ? setTimeout(endIfAnswered, RAW_PATIENCE_MS) : setTimeout(end, PATIENCE_MS, 'hung');
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('connect', async () => {
      const half = Math.floor(bytes.length / 2);
      if (attempt.way === 'early') socket.write(bytes.subarray(0, half), () => end());
      else if (attempt.way === 'raw') socket.write(bytes);
      else {
        socket.write(bytes.subarray(0, half));
        await sleep(200);
        if (!socket.destroyed) socket.write(bytes.subarray(half));
      }
    });
  });
}

export function createConnection(port: number) {
  const agent = new http.Agent({ keepAlive: true });
  const sendPlain = (attempt: Attempt): Promise<Outcome> =>
    new Promise((resolve) => {
      const { method, path, body } = attempt;
      const length: [string, string][] = body ? [['content-length', String(body.length)]] : [];
      const headers = [...attempt.headers, ...length].flat();
      const sentAt = performance.now();
      const seconds = () => ((performance.now() - sentAt) / 1000).toFixed(1);
      const timer = setTimeout(() => finish('hung', `no response for ${seconds()} s`), PATIENCE_MS + LATE_MS);
      const finish = (status: Outcome['status'], text: string) => {
        clearTimeout(timer);
        resolve({ status, text });
        request.destroy();
      };
      const request = http.request({ host: '127.0.0.1', port, method, path, agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          clearTimeout(timer);
          const status = response.statusCode ?? 0;
          if (performance.now() - sentAt > PATIENCE_MS)
            resolve({ status: 'hung', text: `${status} after ${seconds()} s` });
          else resolve({ status, text: Buffer.concat(chunks).toString() });
        });
        response.on('error', () => finish(0, ''));
      });
      request.on('upgrade', (_response, socket) => {
        socket.destroy();
        finish(0, '');
      });
      request.on('error', () => finish(0, ''));
      request.end(body);
    });

  return {
    async send(attempt: Attempt): Promise<Outcome> {
      if (attempt.way !== 'plain') return sendBytes(port, attempt);
      try {
        return await sendPlain(attempt);
      } catch {
        // Requests that Node's client refuses to send are sent as bytes.
        return sendBytes(port, attempt);
      }
    },
    close: () => agent.destroy(),
  };
}
