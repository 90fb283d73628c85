import { expect, test } from 'vitest';
import { createCallerOrigins, type ReceivedRequest } from './caller-origin.ts';

const origins = createCallerOrigins();
origins.listenAt({ httpPort: 8080, httpsPort: 8443 });

const plain = { localAddress: '127.0.0.1', localPort: 8080 };
const encrypted = { encrypted: true, localAddress: '::1', localPort: 8443 };
const findOrigin = (host: string | undefined, more: Partial<ReceivedRequest> = {}) =>
  origins.find({ httpVersion: '1.1', socket: plain, ...more, headers: { ...more.headers, host } });

test.each(['localhost', '127.0.0.1', '[::1]'])('a caller at %s gets its own origin, plain and encrypted', (name) => {
  expect(findOrigin(`${name}:8080`)).toBe(`http://${name}:8080`);
  expect(findOrigin(`${name}:8443`, { socket: encrypted })).toBe(`https://${name}:8443`);
  expect(findOrigin(`${name}:8080`, { socket: { ...plain, localAddress: '::ffff:127.0.0.1' } })).toBe(
    `http://${name}:8080`,
  );
});

test.each([
  ['a foreign host', 'evil.example', {}],
  ['a foreign host with our port', 'evil.example:8080', {}],
  ['a host that ends like ours', 'evil-localhost:8080', {}],
  ['another port', 'localhost:9090', {}],
  ['no port', 'localhost', {}],
  ['no host', undefined, {}],
  ['credentials in the host', 'x@localhost:8080', {}],
  ['the port of the other listener', 'localhost:8443', {}],
  ['a connection from the network', 'localhost:8080', { socket: { ...plain, localAddress: '192.0.2.7' } }],
  ['a connection to another port', 'localhost:8080', { socket: { ...plain, localPort: 9999 } }],
  ['no connection', 'localhost:8080', { socket: {} }],
  ['HTTP/1.0', 'localhost:8080', { httpVersion: '1.0' }],
  ...['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'].map(
    (name) => [`the header ${name}`, 'localhost:8080', { headers: { [name]: 'x' } }] as const,
  ),
] as const)('a request with %s gets the public address', (_, host, more: Partial<ReceivedRequest>) => {
  expect(findOrigin(host, more)).toBeUndefined();
});

test('a default port is not part of the origin', () => {
  const standard = createCallerOrigins();
  standard.listenAt({ httpPort: 80, httpsPort: 443 });
  const findStandardOrigin = (host: string, socket: ReceivedRequest['socket']) =>
    standard.find({ httpVersion: '1.1', headers: { host }, socket });
  expect(findStandardOrigin('localhost', { ...plain, localPort: 80 })).toBe('http://localhost');
  expect(findStandardOrigin('localhost:80', { ...plain, localPort: 80 })).toBe('http://localhost');
  expect(findStandardOrigin('127.0.0.1', { ...encrypted, localPort: 443 })).toBe('https://127.0.0.1');
});

test('knows no origin before the server listens', () => {
  const silent = createCallerOrigins();
  expect(silent.find({ httpVersion: '1.1', headers: { host: 'localhost:8080' }, socket: plain })).toBeUndefined();
});
