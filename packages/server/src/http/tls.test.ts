import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DAY } from '../kernel/clock.ts';
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
const modeOf = (file: string) => (statSync(file).mode & 0o777).toString(8);

async function make(at = now, forHosts = hosts) {
  const { cert, key, caFile } = await localCertificate(dataDir, forHosts, at);
  const authority = new X509Certificate(readFileSync(caFile ?? ''));
  return { cert, key, certificate: new X509Certificate(cert), authority };
}

describe('the local certificate', () => {
  test('is signed by the authority in the data folder, whose file is named', async () => {
    const { caFile } = await localCertificate(dataDir, hosts, now);
    expect(caFile).toBe(inFolder('ca.crt'));
    const { certificate, authority } = await make();
    expect(authority.ca).toBe(true);
    expect(authority.verify(authority.publicKey)).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(certificate.checkIssued(authority)).toBe(true);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });

  test('belongs to its key', async () => {
    const { certificate, key } = await make();
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test('covers every host and address, and no other', async () => {
    const { certificate } = await make();
    expect(certificate.checkHost('localhost')).toBe('localhost');
    expect(certificate.checkHost('mooring.example.com')).toBe('mooring.example.com');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.checkIP('::1')).toBe('::1');
    expect(certificate.checkIP('192.168.7.9')).toBe('192.168.7.9');
    expect(certificate.checkHost('other.example.com')).toBeUndefined();
    expect(certificate.checkIP('192.168.7.10')).toBeUndefined();
  });

  test('holds now and for less than the 398 days that clients accept', async () => {
    const { certificate, authority } = await make();
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / DAY;
    expect(Date.parse(certificate.validFrom)).toBeLessThanOrEqual(now);
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(now + 300 * DAY);
    expect(days).toBeLessThanOrEqual(398);
    expect(Date.parse(authority.validTo)).toBeGreaterThan(Date.parse(certificate.validTo));
  });

  test('keeps its keys readable for their owner only', async () => {
    await make();
    expect(modeOf(inFolder('ca.key'))).toBe('600');
    expect(modeOf(inFolder('server.key'))).toBe('600');
    expect(modeOf(path.join(dataDir, 'tls'))).toBe('700');
  });

  test('is used again as long as it is good', async () => {
    const first = await make();
    const second = await make(now + DAY);
    const last = await make(now + 359 * DAY);
    expect([second.cert, second.key]).toEqual([first.cert, first.key]);
    expect(last.cert).toBe(first.cert);
  });

  test('is still used when fewer hosts are asked for', async () => {
    const first = await make();
    expect((await make(now, ['localhost'])).cert).toBe(first.cert);
  });

  test('is renewed, by the same authority, when less than 30 days are left', async () => {
    const first = await make();
    const later = now + 361 * DAY;
    const second = await make(later);
    expect(second.cert).not.toBe(first.cert);
    expect(second.authority.fingerprint256).toBe(first.authority.fingerprint256);
    expect(second.certificate.verify(first.authority.publicKey)).toBe(true);
    expect(Date.parse(second.certificate.validTo)).toBeGreaterThan(later + 300 * DAY);
    expect(modeOf(inFolder('server.key'))).toBe('600');
  });

  test('is renewed, by the same authority, when the host changed', async () => {
    const first = await make();
    const second = await make(now, [...hosts, 'new.example.com']);
    expect(first.certificate.checkHost('new.example.com')).toBeUndefined();
    expect(second.certificate.checkHost('new.example.com')).toBe('new.example.com');
    expect(second.authority.fingerprint256).toBe(first.authority.fingerprint256);
  });

  test('is renewed when an address is added', async () => {
    await make();
    const { certificate } = await make(now, [...hosts, '10.0.0.1']);
    expect(certificate.checkIP('10.0.0.1')).toBe('10.0.0.1');
  });

  test('is made anew when its authority was deleted, even on the same day', async () => {
    const first = await make();
    rmSync(inFolder('ca.crt'));
    rmSync(inFolder('ca.key'));
    const second = await make();
    expect(second.authority.fingerprint256).not.toBe(first.authority.fingerprint256);
    expect(second.certificate.verify(second.authority.publicKey)).toBe(true);
  });

  test('is made anew when one of its files was deleted', async () => {
    for (const name of ['server.crt', 'server.key']) {
      await make();
      rmSync(inFolder(name));
      const { certificate, key, authority } = await make();
      expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true);
      expect(certificate.verify(authority.publicKey)).toBe(true);
    }
  });

  test('is good for both when two processes of one data folder start at nearly the same moment', async () => {
    for (let delay = 0; delay < 30; delay += 1) {
      const folder = path.join(dataDir, String(delay));
      const later = async () => {
        for (let turn = 0; turn < delay; turn += 1) await setImmediate();
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

  test('never outlives its authority: one that runs out is replaced', async () => {
    await make();
    const later = now + 3660 * DAY;
    const { certificate, authority } = await make(later);
    expect(Date.parse(authority.validTo)).toBeGreaterThan(later);
    expect(certificate.verify(authority.publicKey)).toBe(true);
  });
});

test('own files are used as they are, and no authority has to be trusted', () => {
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
])('a server at %s, bound to %s, covers the own machine and %j', (publicUrl, host, others) => {
  expect(hostsFor(publicUrl, host)).toEqual(['localhost', '127.0.0.1', '::1', ...others]);
});
