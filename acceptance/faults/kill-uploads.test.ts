import { expect, test } from 'vitest';
import { dialects } from './installation.ts';
import { killAtUploadSteps } from './kill-upload-steps.ts';
import { killUploads } from './kill-uploads.ts';

test.each(dialects)(
  'a server that is killed while packages are uploaded and read makes one whole release of each (%s)',
  async (dialect) => {
    await expect(killUploads({ dialect, kills: 1 })).resolves.toContain('each is one release');
  },
  600_000,
);

test('a server that ends when a package is put together, and when its parts are taken away, leaves nothing behind', async () => {
  await expect(killAtUploadSteps('sqlite', ['joined', 'blob'])).resolves.toContain('no file was left behind');
}, 600_000);
