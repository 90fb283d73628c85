import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { der, readDer } from './der.ts';
import { signMessage } from './signed-message.ts';

/** Verified by another program. */
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const openssl = (folder: string, ...args: string[]): string =>
  execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A self-signed certificate for a new key. */
function createSigner(kind: readonly string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-signed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  openssl(
    folder,
    'req',
    '-x509',
    '-nodes',
    '-newkey',
    ...kind,
    '-keyout',
    'key',
    '-out',
    'cert',
    '-subj',
    '/CN=Harbour',
  );
  const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');
  return { folder, cert: read('cert'), key: read('key') };
}

test.skipIf(!hasOpenssl).each([['rsa:2048'], ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256']])(
  'other programs verify a message signed with a key of %s, and reject any changed byte',
  (...kind) => {
    const { folder, cert, key } = createSigner(kind);
    const content = Buffer.from(`<plist>${'é'.repeat(40_000)}</plist>`);
    const signed = signMessage(content, { cert, key }, Date.now());
    if (!signed) throw new Error('It is not signed.');
    const verify = (message: Buffer) => {
      writeFileSync(path.join(folder, 'message'), message);
      const how = ['cms', '-verify', '-binary', '-inform', 'DER', '-CAfile', 'cert', '-purpose', 'any'];
      return openssl(folder, ...how, '-in', 'message');
    };
    expect(verify(signed)).toBe(content.toString());
    const at = signed.indexOf('</plist>');
    const altered = Buffer.from(signed);
    altered[at] = 0x20;
    expect(() => verify(altered)).toThrow('verification failure');
  },
);

test.skipIf(!hasOpenssl)('does not sign with a kind of key that phones do not support', () => {
  const { cert, key } = createSigner(['ed25519']);
  expect(signMessage(Buffer.from('x'), { cert, key }, 0)).toBeUndefined();
});

test.each([0, 1, 127, 128, 255, 256, 65_535, 65_536])('reads a value of %i bytes as it was written', (length) => {
  const content = Buffer.alloc(length, 7);
  const [value, next, ...rest] = readDer(Buffer.concat([der(4, content), der(5)]));
  expect([value?.tag, value?.content.equals(content), next?.whole, rest]).toEqual([4, true, Buffer.from([5, 0]), []]);
});

test('rejects a truncated message', () => {
  for (const bytes of [[0x30], [0x30, 5, 1], [0x30, 0x82, 1]])
    expect(() => readDer(Buffer.from(bytes))).toThrow(RangeError);
});
