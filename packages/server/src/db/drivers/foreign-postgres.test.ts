import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { MAX_RECEIVED, withForeignPostgres } from './foreign-postgres.ts';

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const authenticated = message('R', Buffer.alloc(4));
const ready = message('Z', Buffer.from('I'));
const begun = Buffer.concat([message('C', Buffer.from('BEGIN\0')), ready]);

/** Writes the same bytes for as long as the client reads, and counts them. */
function pour(socket: Socket, bytes: Buffer): { count(): number } {
  let count = 0;
  const more = (): void => {
    while (!socket.destroyed) {
      count += bytes.length;
      if (!socket.write(bytes)) return;
    }
  };
  socket.on('drain', more);
  more();
  return { count: () => count };
}

async function listen(serve: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    serve(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const place = { host: '127.0.0.1', port, user: 'u', password: 'p', database: 'd', tls: 'off' } as const;
  return () =>
    withForeignPostgres(place, { address: '127.0.0.1', timeoutMs: 20_000 }, (run) =>
      run('SELECT to_regclass($1)', ['t']),
    );
}

const row = message('D', Buffer.concat([Buffer.from([0, 1, 0, 0, 0x3f, 0xf0]), Buffer.alloc(0x3ff0, 'a')]));
const columns = message('T', Buffer.from(`\0\u0001name\0${'\0'.repeat(18)}`, 'latin1'));
const tooMuch = /sent more than 1048576 bytes/;

test('ends a connection to a database that returns rows without an end', async () => {
  let sent = { count: () => 0 };
  const connect = await listen((socket) => {
    let messages = 0;
    socket.on('data', () => {
      messages += 1;
      if (messages === 1) socket.write(Buffer.concat([authenticated, ready]));
      else if (messages === 2) socket.write(begun);
      else if (messages === 3) {
        socket.write(columns);
        sent = pour(socket, row);
      }
    });
  });
  await expect(connect()).rejects.toThrow(tooMuch);
  expect(sent.count()).toBeLessThan(100 * MAX_RECEIVED);
});

test('ends a connection to a database that announces a message of two gigabytes', async () => {
  let sent = { count: () => 0 };
  const connect = await listen((socket) =>
    socket.once('data', () => {
      socket.write(Buffer.from([0x45, 0x7f, 0xff, 0xff, 0xff]));
      sent = pour(socket, Buffer.alloc(65_536, 'a'));
    }),
  );
  await expect(connect()).rejects.toThrow(tooMuch);
  expect(sent.count()).toBeLessThan(100 * MAX_RECEIVED);
});
