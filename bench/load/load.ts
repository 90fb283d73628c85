import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/**
 * A load generator on raw sockets, so light that the server is the bottleneck: one request at a time on each
 * connection, tokens in rotation. `{n}` in the path becomes the number of the request, `{n%10}` its last digit, and
 * `{n%100:12}` its last two digits, padded to twelve characters. `node load.ts <port> <path> <tokens file or ->
 * <connections> <seconds> [<header lines, instead of tokens>]`
 */
const [port = '', path = '/', tokensFile = '-', connections = '64', seconds = '5', lines = ''] = process.argv.slice(2);

const tokens = tokensFile === '-' ? [''] : readFileSync(tokensFile, 'utf8').trim().split('\n');
const [before = '', modulus, width, after] = path.split(/\{n(?:%(\d+)(?::(\d+))?)?\}/);
const heads = tokens.map((token) => {
  const own = lines || (token && `X-API-Token: ${token}`);
  return ` HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${own && `${own}\r\n`}\r\n`;
});
const counted = (n: number): string =>
  after === undefined ? '' : String(modulus ? n % Number(modulus) : n).padStart(Number(width ?? 0), '0') + after;
const request = (n: number): string => `GET ${before}${counted(n)}${heads[n % heads.length]}`;

let next = 0;
let done = 0;
let bad = 0;
let bytes = 0;
let total = 0;
let open = 0;
let isOver = false;
const latencies: number[] = [];

/** The length of the whole response, once its headers have arrived. */
function answerLength(text: string): number | undefined {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const at = text.toLowerCase().indexOf('content-length: ');
  return end + 4 + Number.parseInt(text.slice(at + 16, at + 28), 10);
}

function drive(socket: Socket): void {
  let head = '';
  let length: number | undefined;
  let received = 0;
  let sentAt = 0;
  const send = () => {
    sentAt = performance.now();
    socket.write(request(next++));
  };
  socket.on('data', (chunk) => {
    received += chunk.length;
    total += chunk.length;
    if (length === undefined) {
      head += chunk.toString('latin1');
      length = answerLength(head);
    }
    if (length === undefined || received < length) return;
    if (!head.startsWith('HTTP/1.1 200')) bad += 1;
    bytes = length;
    head = '';
    length = undefined;
    received = 0;
    done += 1;
    if (done % 16 === 0) latencies.push(performance.now() - sentAt);
    if (isOver) socket.destroy();
    else send();
  });
  socket.on('close', () => {
    open -= 1;
    if (open === 0) process.exit(0);
  });
  open += 1;
  send();
}

const start = performance.now();
for (let n = 0; n < Number(connections); n++) {
  const socket = connect({ port: Number(port), host: '127.0.0.1', noDelay: true }, () => drive(socket));
}
setTimeout(() => {
  isOver = true;
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor(latencies.length * share)] ?? 0;
  process.stdout.write(
    JSON.stringify({
      perSecond: done / elapsed,
      requests: done,
      bad,
      bytes,
      bytesPerSecond: total / elapsed,
      p50: at(0.5),
      p99: at(0.99),
    }),
  );
  // Waits for running requests, so that the next round does not pay for them.
  setTimeout(() => process.exit(0), 10_000);
}, Number(seconds) * 1000);
