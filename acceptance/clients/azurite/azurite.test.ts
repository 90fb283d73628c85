import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withBreakable } from '../../faults/kills/kill-steps.ts';
import { attachment, crash, HOUR, MINUTE, openApp, until } from '../../faults/outbound-fixtures.ts';
import { createToken, send } from '../../harness/http.ts';
import { admin } from '../../harness/server.ts';
import { startAzurite } from './service.ts';

const allow = { MOORING_OUTBOUND_ALLOW: '127.0.0.0/8' };
const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };

test('an export to Azure blobs writes files by minute, with attachments, once and with signed requests', {
  timeout: 300_000,
}, async () => {
  const azurite = await startAzurite();
  onTestFinished(azurite.stop);
  await withBreakable(
    'sqlite',
    async ({ server, set }) => {
      const { httpUrl } = server();
      const { api_token: token } = await createToken(server(), {});
      const request = (method: string, path: string, body?: object) =>
        send(method, `${httpUrl}${path}`, { token, ...(body ? { body } : {}) });
      const made = await request('POST', '/v0.1/apps', {
        ...{ name: 'blobs', display_name: 'Blobs', os: 'Android', platform: 'Java' },
      });
      const { app_secret } = made.json<{ app_secret: string }>();
      const home = `/v0.1/apps/${admin.name}/blobs/export_configurations`;
      const body = {
        type: 'blob_storage_connection_string',
        export_entities: ['crashes', 'attachments'],
        connection_string: azurite.connection(),
      };
      const wrong = { ...body, connection_string: azurite.connection(Buffer.from('another key').toString('base64')) };
      const refused = await request('POST', home, wrong);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('rejected the key: 403')]);
      const created = await request('POST', home, body);
      expect(created.status, created.text).toBe(202);
      const { id } = created.json<{ id: string }>();
      // The test file is deleted.
      expect(await azurite.read('archive')).toEqual({});

      const crash = randomUUID();
      const common = { timestamp: new Date().toISOString(), device };
      const logs = [
        { ...common, type: 'event', id: randomUUID(), name: 'ünï code' },
        { ...common, type: 'managedError', id: crash, fatal: true, exception: { type: 'X', message: 'y', frames: [] } },
        {
          ...common,
          type: 'errorAttachment',
          id: randomUUID(),
          errorId: crash,
          contentType: 'text/plain',
          data: btoa('hi'),
        },
      ];
      const headers = { 'app-secret': app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
      const taken = await send('POST', `${httpUrl}/logs?api-version=1.0.0`, { headers, raw: JSON.stringify({ logs }) });
      expect(taken.status).toBe(200);
      // The server's clock must have passed the minute.
      set(String(5 * MINUTE));
      const shown = () =>
        request('GET', `${home}/${id}`).then((answer) => answer.json<{ state: string; waiting_batches: number }>());
      await vi.waitUntil(async () => (await shown()).waiting_batches === 0, { timeout: 120_000, interval: 200 });
      expect((await shown()).state).toBe('Enabled');
      const files = await azurite.read('archive');
      const names = Object.keys(files).map((name) => name.replace(/^\d{4}(\/\d\d){4}\//, ''));
      expect(names.sort()).toEqual([
        expect.stringMatching(/^attachments\/[-0-9a-f]{36}$/),
        'crashes.v1.data',
        'logs.v1.data',
      ]);
      const content = (ending: string) => Object.entries(files).find(([name]) => name.includes(ending))?.[1];
      expect([content('attachments/')?.type, String(content('attachments/')?.bytes)]).toEqual(['text/plain', 'hi']);
      expect(JSON.parse(String(content('logs.v1.data')?.bytes))).toMatchObject([{ EventName: 'ünï code' }]);
      expect(JSON.parse(String(content('crashes.v1.data')?.bytes))).toMatchObject([{ EventId: crash, Fatal: 'True' }]);
      // Later runs write nothing new, and nothing twice.
      set(String(10 * MINUTE));
      await vi.waitUntil(async () => (await shown()).waiting_batches === 0, { timeout: 120_000, interval: 200 });
      expect(Object.keys(await azurite.read('archive'))).toEqual(Object.keys(files));
      return 'exported';
    },
    allow,
  );
});

test('an account with a full disk shows the error; with free space the export resumes, without partial blobs', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mooring-azurite-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const azurite = await startAzurite(folder);
  onTestFinished(azurite.stop);
  const work = async (tools: Parameters<Parameters<typeof withBreakable>[1]>[0]) => {
    const app = await openApp(tools);
    const made = await app.call('POST', `${app.at}/export_configurations`, {
      type: 'blob_storage_connection_string',
      export_entities: ['crashes', 'attachments'],
      connection_string: azurite.connection(),
    });
    const { id } = made.json<{ id: string }>();
    const broken = crash(0);
    const large = { ...attachment(broken.id), data: Buffer.alloc(300_000, 'x').toString('base64') };
    azurite.limitFiles(65_536);
    await app.addLogs([broken, large]);
    tools.set(String(5 * MINUTE));
    const failing = await until('the error of the export', async () => {
      const shown = await app.showExport(id);
      return shown.last_error === undefined ? undefined : shown;
    });
    expect(failing).toMatchObject({
      // The crash and its large attachment are in separate batches.
      waiting_batches: 2,
      last_error: expect.stringContaining('The storage account rejected the request: 500'),
    });
    expect(failing.state).not.toBe('Invalid');
    const inFull = async () =>
      Object.entries(await azurite.read('archive'))
        .map(([name, { bytes }]) => [name.replace(/^\d{4}(\/\d\d){4}\//, ''), bytes.length > 100_000] as const)
        .toSorted();
    expect(await inFull()).toEqual([['crashes.v1.data', false]]);
    azurite.limitFiles('unlimited');
    tools.set(String(HOUR));
    expect(await app.untilExported(id)).toMatchObject({ state: 'Enabled' });
    expect(await inFull()).toEqual([
      [`attachments/${large.id}`, true],
      ['crashes.v1.data', false],
    ]);
    return 'exported';
  };
  await withBreakable('sqlite', work, allow);
});
