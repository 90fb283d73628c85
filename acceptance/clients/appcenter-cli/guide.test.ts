import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { fillPlaceholders, openGuideShell, readShellBlocks } from '../../harness/guide.ts';
import { createToken } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';

test('the client signs in with the lines of docs/migrating.md', async () => {
  const server = await startServer();
  onTestFinished(async () => {
    await server.stop();
  });
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-guide-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const shell = await openGuideShell({
    folder,
    env: { NO_UPDATE_NOTIFIER: '1' },
    // The client opens a browser.
    recorded: ['open', 'xdg-open'],
    programs: { appcenter: path.join(import.meta.dirname, 'node_modules/appcenter-cli/bin/appcenter.js') },
  });
  onTestFinished(() => shell.stop());
  const [lines = '', ...others] = readShellBlocks('docs/migrating.md').filter((block) =>
    block.includes('appcenter login'),
  );
  expect(others).toEqual([]);
  const { api_token } = await createToken(server);
  const printed = await shell.run(
    fillPlaceholders(lines, {
      'https://localhost:8443': server.httpsUrl,
      '<data>': server.dataDir,
      // The user pastes the token that the page shows.
      'appcenter login --env local': `appcenter login --env local <<<${api_token}`,
    }),
  );
  expect(printed).toContain('Logged in as ada');
  expect(await shell.run('appcenter profile list')).toMatch(/^Username: +ada$/m);
});
