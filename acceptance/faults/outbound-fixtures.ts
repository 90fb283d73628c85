import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, send } from '../harness/http.ts';
import { admin } from '../harness/server.ts';
import type { Breakable } from './kills/kill-steps.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
const SETTLES_WITHIN = 300_000;

export async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const end = Date.now() + SETTLES_WITHIN;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    assert.ok(Date.now() < end, `Timed out waiting for ${what}.`);
    await sleep(200);
  }
}

const device = { appVersion: '1.0', osName: 'Android', osVersion: '14', locale: 'en_US', timeZoneOffset: 0 };
/** A report of one of several groups and several hours. */
export const crash = (n: number) => ({
  ...{ type: 'managedError', id: randomUUID(), fatal: true, userId: 'user-mo', device },
  timestamp: new Date(Date.now() - (n % 5) * HOUR).toISOString(),
  exception: {
    type: 'java.lang.IllegalStateException',
    message: 'x',
    frames: [{ className: `org.example.Cart${n}`, methodName: 'pay', fileName: 'Cart.java', lineNumber: 1 }],
  },
});
export const attachment = (errorId: string) => ({
  ...{ type: 'errorAttachment', id: randomUUID(), timestamp: new Date().toISOString(), errorId, device },
  ...{ contentType: 'text/plain', data: Buffer.from('what mo did').toString('base64') },
});

interface ShownExport {
  state: string;
  last_error?: string;
  waiting_batches: number;
  waiting_parts: number;
}

/** An app whose crashes and attachments are exported to files. */
export async function openApp({ server }: Pick<Breakable, 'server'>) {
  const { api_token: token } = await createToken(server(), {});
  const at = `/v0.1/apps/${admin.name}/leaving`;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await send(method, `${server().httpUrl}${path}`, { token, ...(body ? { body } : {}) });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const created = await call('POST', '/v0.1/apps', {
    ...{ name: 'leaving', display_name: 'Leaving', os: 'Android', platform: 'Java' },
  });
  const { id, app_secret } = created.json<{ id: string; app_secret: string }>();
  const addExport = async (folder: string) => {
    const sent = { type: 'file', format: 'minutes', folder, export_entities: ['crashes', 'attachments'] };
    return (await call('POST', `${at}/export_configurations`, sent)).json<{ id: string }>().id;
  };
  const showExport = async (exportId: string) =>
    (await call('GET', `${at}/export_configurations/${exportId}`)).json<ShownExport>();
  /** No data is pending. */
  const untilExported = (exportId: string) =>
    until('the export', async () => {
      const shown = await showExport(exportId);
      return shown.waiting_batches + shown.waiting_parts === 0 ? shown : undefined;
    });
  const addLogs = async (logs: object[]) => {
    const headers = { 'app-secret': app_secret, 'install-id': randomUUID(), 'content-type': 'application/json' };
    const raw = JSON.stringify({ logs });
    const answer = await send('POST', `${server().httpUrl}/logs?api-version=1.0.0`, { headers, raw });
    assert.equal(answer.status, 200, answer.text);
  };
  return { id, at, call, addLogs, addExport, showExport, untilExported };
}

/** All files of an export, each complete. */
export function readExport(dataDir: string, appId: string, name: string) {
  const folder = path.join(dataDir, 'exports', appId, name);
  const entries = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  const files = entries.filter((entry) => entry.isFile());
  const read = ({ parentPath, name }: (typeof files)[number]) => readFileSync(path.join(parentPath, name), 'utf8');
  const isRecords = (name: string) => name.endsWith('.v1.data');
  const isDraft = (name: string) => name.endsWith('.draft');
  return {
    names: files.map(({ name }) => name),
    drafts: files.filter(({ name }) => isDraft(name)).length,
    ids: files
      .filter(({ name }) => isRecords(name))
      .flatMap((file) => (JSON.parse(read(file)) as { EventId: string }[]).map(({ EventId }) => EventId)),
    attachments: files.filter(({ name }) => !isRecords(name) && !isDraft(name)).map(read),
  };
}
