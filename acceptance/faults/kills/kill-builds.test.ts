import { expect, test } from 'vitest';
import { killBuilds } from './kill-builds.ts';

test('faults of the server, runner, stage, sandbox or network in the middle of a build leave nothing behind', async () => {
  const rounds = [
    ['server', 'one 1'],
    ['runner', 'two 1'],
    ['stage', 'one 1'],
    ['sandbox', 'two 1'],
    ['network', '== Files'],
  ] as const;
  await expect(killBuilds({ dialect: 'sqlite', rounds })).resolves.toContain('4 builds');
}, 600_000);
