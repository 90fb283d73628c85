import { createPrivateKey, KeyObject, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, isIP } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { checkServerIdentity, connect, createServer } from 'node:tls';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY } from '../../kernel/clock.ts';
import { hostsFor, localCertificate, ownCertificate } from './tls.ts';

const now = Date.parse('2026-11-01T12:00:00Z');
const hosts = ['localhost', '127.0.0.1', '::1', 'mooring.example.com', '192.168.7.9'];

let dataDir: string;
beforeEach(() => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-tls-'));
  dataDir = folder;
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const inFolder = (name: string) => path.join(dataDir, 'tls', name);
const getMode = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function make(at = now, forHosts = hosts) {
  const { cert, key, caFile } = await localCertificate(dataDir, forHosts, at);
  const authority = new X509Certificate(readFileSync(caFile ?? ''));
  return { cert, key, certificate: new X509Certificate(cert), authority };
}

describe('the local certificate', () => {
  test('is signed by the authority in the data folder, whose file it reports', async () => {
    const { caFile } = await localCertificate(dataDir, hosts, now);
    expect(caFile).toBe(inFolder('ca.crt'));
    const { certificate, authority } = await make();
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });

  test('matches its key', async () => {
    const { certificate, key } = await make();
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test('covers every host and IP address, and no other', async () => {
    const { certificate } = await make();
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('mooring.example.com')).toBe('mooring.example.com');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('::1')).toBe('::1');
    expect(certificate.checkIP('192.168.7.9')).toBe('192.168.7.9');
    expect(certificate.checkHost('other.example.com')).toBeUndefined();
    expect(certificate.checkIP('192.168.7.10')).toBeUndefined();
  });

  test('is valid for three months, its authority for two years', async () => {
    const { certificate, authority } = await make();
    for (const { validFrom } of [certificate, authority]) expect(Date.parse(validFrom)).toBe(now - DAY);
    expect(Date.parse(certificate.validTo)).toBe(now + 90 * DAY);
    expect(Date.parse(authority.validTo)).toBe(now + 730 * DAY);
  });

  test('keeps its keys readable for their owner only', async () => {
    await make();
    expect(getMode(inFolder('ca.key'))).toBe('600');
    expect(getMode(inFolder('server.key'))).toBe('600');
    expect(getMode(path.join(dataDir, 'tls'))).toBe('700');
  });

  test('is used again while it is valid', async () => {
    const first = await make();
    const second = await make(now + DAY);
    const last = await make(now + 59 * DAY);
    expect([second.cert, second.key]).toEqual([first.cert, first.key]);
    expect(last.cert).toBe(first.cert);
  });

  test('is reused when fewer hosts are requested', async () => {
    const first = await make();
    expect((await make(now, ['localhost'])).cert).toBe(first.cert);
  });

  test('is renewed, by the same authority, when less than 30 days are left', async () => {
    const first = await make();
    const later = now + 61 * DAY;
    const second = await make(later);
    expect(second.cert).not.toBe(first.cert);
    expect(second.authority.fingerprint256).toBe(first.authority.fingerprint256);
    expect(second.certificate.verify(first.authority.publicKey)).toBe(true);
    expect(Date.parse(second.certificate.validTo)).toBe(later + 90 * DAY);
    expect(getMode(inFolder('server.key'))).toBe('600');
  });

  test('is reissued by an authority for the new host when the host changes; clients must trust it again', async () => {
    const first = await make();
    const messages: string[] = [];
    const requestedHosts = [...hosts, 'new.example.com'];
    await localCertificate(dataDir, requestedHosts, now, (message) => messages.push(message));
    expect(messages).toEqual([
      expect.stringMatching(
        /created a new local authority limited to .*new\.example\.com: clients must trust .*ca\.crt/,
      ),
    ]);
    const second = await make(now, requestedHosts);
    expect(first.certificate.checkHost('new.example.com')).toBeUndefined();
    expect(second.certificate.checkHost('new.example.com')).toBe('new.example.com');
    expect(second.authority.publicKey.equals(first.authority.publicKey)).toBe(false);
    expect(second.certificate.verify(second.authority.publicKey)).toBe(true);
  });

  test('is renewed when an address is added', async () => {
    await make();
    const { certificate } = await make(now, [...hosts, '10.0.0.1']);
    expect(certificate.checkIP('10.0.0.1')).toBe('10.0.0.1');
  });

  test('is reissued when its authority was deleted, even on the same day', async () => {
    const first = await make();
    rmSync(inFolder('ca.crt'));
    rmSync(inFolder('ca.key'));
    const second = await make();
    expect(second.authority.fingerprint256).not.toBe(first.authority.fingerprint256);
    expect(second.certificate.verify(second.authority.publicKey)).toBe(true);
  });

  test('is reissued when one of its files was deleted', async () => {
    for (const name of ['server.crt', 'server.key']) {
      await make();
      rmSync(inFolder(name));
      const { certificate, key, authority } = await make();
      expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
      expect(certificate.verify(authority.publicKey)).toBe(true);
    }
  });

  test('is the same for two processes that start on one data folder at the same time', async () => {
    for (let delay = 0; delay < 30; delay += 1) {
      const folder = path.join(dataDir, String(delay));
      const later = async () => {
        for (let tick = 0; tick < delay; tick += 1) await setImmediate();
        return localCertificate(folder, hosts, now);
      };
      const made = await Promise.all([localCertificate(folder, hosts, now), later()]);
      const authority = new X509Certificate(readFileSync(path.join(folder, 'tls', 'ca.crt')));
      for (const { cert, key } of made) {
        expect(new X509Certificate(cert).verify(authority.publicKey), `second start ${delay} turns later`).toBe(true);
        expect(new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))).toBe(true);
      }
    }
  });

  test('is valid under both the old and the renewed authority', async () => {
    const first = await make();
    const messages: string[] = [];
    const later = now + 551 * DAY;
    await localCertificate(dataDir, hosts, now + 549 * DAY, (message) => messages.push(message));
    expect(messages).toEqual([]);
    await localCertificate(dataDir, ['localhost'], later, (message) => messages.push(message));
    expect(messages).toEqual([
      expect.stringMatching(/renewed the local authority: install the new .*ca\.crt on clients before 2028-10-31/),
    ]);
    const second = await make(later, ['localhost']);
    expect(Date.parse(second.authority.validTo)).toBe(later + 730 * DAY);
    // Valid under both the authority that clients have and the renewed one.
    for (const authority of [first.authority, second.authority]) {
      expect(second.certificate.checkIssued(authority)).toBe(true);
      expect(second.certificate.verify(authority.publicKey)).toBe(true);
    }
    // The certificate no longer names hosts that the renewed authority excludes.
    expect(second.certificate.checkHost('mooring.example.com')).toBeUndefined();
  });

  test('comes from a new authority when the old one has expired', async () => {
    const first = await make();
    const messages: string[] = [];
    await localCertificate(dataDir, hosts, now + 731 * DAY, (message) => messages.push(message));
    expect(messages).toEqual([expect.stringContaining('replaced the expired local authority')]);
    const { certificate, authority } = await make(now + 731 * DAY);
    expect(authority.publicKey.equals(first.authority.publicKey)).toBe(false);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });
});

/** A certificate by an attacker with the authority's stolen key. */
async function forge(host: string) {
  const x509 = await import('@peculiar/x509');
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [, base64 = ''] = /KEY-----(.*)-----END/s.exec(readFileSync(inFolder('ca.key'), 'utf8')) ?? [];
  const stolen = await crypto.subtle.importKey('pkcs8', Buffer.from(base64, 'base64'), algorithm, false, ['sign']);
  const made = await x509.X509CertificateGenerator.create({
    subject: `CN=${host}`,
    issuer: new x509.X509Certificate(readFileSync(inFolder('ca.crt'), 'utf8')).subject,
    publicKey: keys.publicKey,
    signingKey: stolen,
    signingAlgorithm: algorithm,
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: isIP(host) ? 'ip' : 'dns', value: host }])],
  });
  const key = KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' });
  return { cert: made.toString('pem'), key: String(key) };
}

/** The error of a client that trusts the authority when it connects to a server with this certificate, if any. */
async function clientSays({ cert, key }: { cert: string; key: string }, host: string): Promise<string | undefined> {
  const server = createServer({ cert, key }, (socket) => socket.end());
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = connect({
    host: '127.0.0.1',
    port,
    ca: readFileSync(inFolder('ca.crt')),
    ...(isIP(host) ? {} : { servername: host }),
    checkServerIdentity: (_, shown) => checkServerIdentity(host, shown),
  });
  const error = await once(client, 'secureConnect').then(
    () => undefined,
    (reason: Error) => reason,
  );
  client.destroy();
  server.close();
  return error?.message;
}

describe('a client that trusts the authority', () => {
  const names = ['localhost', '127.0.0.1', '::1', 'mooring.example.com', '192.168.7.9', '2001:db8::7'];

  test.each(names)('trusts this server as %s', async (host) => {
    expect(await clientSays(await localCertificate(dataDir, names, Date.now()), host)).toBeUndefined();
  });

  test.each(['bank.example.com', 'example.com', '192.168.7.10', '2001:db8::8'])(
    'does not trust %s with a stolen key',
    async (host) => {
      await localCertificate(dataDir, names, Date.now());
      expect(await clientSays(await forge(host), host)).toMatch(/permitted subtree violation/);
    },
  );

  test('replaces an authority from a version that signed for any name', async () => {
    const x509 = await import('@peculiar/x509');
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const old = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'CN=Mooring local authority',
      notAfter: new Date(now + 3650 * DAY),
      keys,
      signingAlgorithm: algorithm,
      extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
    });
    mkdirSync(path.join(dataDir, 'tls'));
    writeFileSync(inFolder('ca.crt'), old.toString('pem'));
    writeFileSync(inFolder('ca.key'), KeyObject.from(keys.privateKey).export({ type: 'pkcs8', format: 'pem' }));
    const messages: string[] = [];
    await localCertificate(dataDir, hosts, now, (message) => messages.push(message));
    expect(messages).toEqual([expect.stringContaining('created a new local authority')]);
    expect(readFileSync(inFolder('ca.crt'), 'utf8')).not.toBe(old.toString('pem'));
  });
});

test("uses the operator's files unchanged, without an authority", () => {
  const certFile = path.join(dataDir, 'own.crt');
  const keyFile = path.join(dataDir, 'own.key');
  writeFileSync(certFile, 'certificate');
  writeFileSync(keyFile, 'key');
  expect(ownCertificate(certFile, keyFile)).toEqual({ cert: 'certificate', key: 'key', caFile: undefined });
});

test.each([
  [undefined, '127.0.0.1', []],
  [undefined, '0.0.0.0', []],
  [undefined, '::', []],
  [undefined, '192.168.7.9', ['192.168.7.9']],
  ['https://mooring.example.com', '0.0.0.0', ['mooring.example.com']],
  ['https://mooring.example.com:8443', '192.168.7.9', ['mooring.example.com', '192.168.7.9']],
  ['https://[2001:db8::7]:8443', '127.0.0.1', ['2001:db8::7']],
  ['https://localhost:8443', '127.0.0.1', []],
])('a server at %s, bound to %s, covers its own machine and %j', (publicUrl, host, others) => {
  expect(hostsFor(publicUrl, host)).toEqual(['localhost', '127.0.0.1', '::1', ...others]);
});
