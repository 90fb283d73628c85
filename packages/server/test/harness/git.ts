import { onTestFinished } from 'vitest';
import { startGitHost } from '../../../../tools/git-host.ts';

/** It is gone when the test ends. */
export async function gitHost(options: Parameters<typeof startGitHost>[0] = {}) {
  const host = await startGitHost(options);
  onTestFinished(host.stop);
  return host;
}
