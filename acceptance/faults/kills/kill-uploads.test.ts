import { expect, test } from 'vitest';
import { dialects } from '../installation.ts';
import { killAtUploadSteps } from './kill-upload-steps.ts';
import { killUploads } from './kill-uploads.ts';

test.each(dialects)(
  'a server killed while packages are uploaded and read creates one complete release of each (%s)',
  async (dialect) => {
    await expect(killUploads({ dialect, kills: 1 })).resolves.toContain('each became one release');
  },
  600_000,
);

test('a server killed while it assembles a package or deletes its chunks leaves no file behind', async () => {
  await expect(killAtUploadSteps('sqlite', ['assembled', 'blob'])).resolves.toContain('no file remained');
}, 600_000);
