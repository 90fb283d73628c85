import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { findProgram } from '../../../workers/find-program.ts';
import { codeAt, stepAt, toBase32 } from './totp.ts';

const oathtool = findProgram(['oathtool']);

/** Some seconds at the edges of a step, and the last one before the time has 11 digits. */
const seconds = [29, 30, 59, 1_111_111_109, 1_111_111_110, 2_000_000_000, 9_999_999_999];

test.runIf(oathtool)('computes the codes that oathtool computes', () => {
  for (const length of [20, 20, 32, 64]) {
    const secret = toBase32(randomBytes(length));
    for (const second of seconds) {
      const printed = execFileSync(oathtool ?? '', ['--totp', '-b', secret, '-N', `@${second}`], { encoding: 'utf8' });
      expect([secret, second, codeAt(secret, stepAt(second * 1000))]).toEqual([secret, second, printed.trim()]);
    }
  }
});
