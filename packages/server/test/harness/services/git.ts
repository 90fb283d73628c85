import { onTestFinished } from 'vitest';
import { startGitHost } from '../../../../../test-support/git-host.ts';

/** A repository that is deleted after the test. */
export async function gitHost(options: Parameters<typeof startGitHost>[0] = {}) {
  const host = await startGitHost(options);
  onTestFinished(host.stop);
  return host;
}
