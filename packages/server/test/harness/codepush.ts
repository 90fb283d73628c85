import { randomUUID } from 'node:crypto';
import { createZip, type ZipPart } from '../../../../tools/samples/zips.ts';
import type { Config } from '../../src/config.ts';
import type { DialectName } from '../../src/db/drivers/connection.ts';
import { testApp } from './app.ts';

export const compass = '/v0.1/apps/ada/compass';
export const deploymentsUrl = `${compass}/deployments`;
export const at = (name: string, rest = ''): string => `${deploymentsUrl}/${encodeURIComponent(name)}${rest}`;

/** A package with one bundle. */
export const createBundle = (text: string, ...more: ZipPart[]): Buffer =>
  createZip([{ path: 'CodePush/main.jsbundle', content: text }, ...more]);

/** An app with deployments, and its owner, who publishes releases. */
export async function withDeployments(dialect: DialectName, settings: Partial<Config> = {}) {
  const app = await testApp(dialect, settings);
  const ada = await app.addUser('ada');
  const ref = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const request = async (method: string, url: string, body?: unknown) => {
    const answer = await app.call(method, url, { token, body });
    const isJson = String(answer.headers['content-type']).startsWith('application/json');
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body };
  };
  const keys: Record<string, string> = {};
  for (const name of ['Staging', 'Production']) keys[name] = (await request('POST', deploymentsUrl, { name })).body.key;
  const upload = async (content: Buffer, name = 'Staging'): Promise<string> => {
    const id = randomUUID();
    const headers = { 'content-type': 'application/zip' };
    const answer = await app.call('PUT', at(name, `/uploads/${id}`), { token, headers, body: content });
    if (answer.statusCode !== 200) throw new Error(`${answer.body} ${await app.logged()}`);
    return id;
  };
  const releaseUpload = (id: string, name = 'Staging', options: object = {}) =>
    request('POST', at(name, '/releases'), { release_upload: { id }, target_binary_version: '1.0.0', ...options });
  return {
    app,
    ada,
    ref,
    token,
    keys,
    request,
    upload,
    releaseUpload,
    release: async (content: string | Buffer, name = 'Staging', options: object = {}) =>
      releaseUpload(await upload(typeof content === 'string' ? createBundle(content) : content, name), name, options),
    /** Response to an update check of a device. */
    check: async (report: Record<string, string> = {}, name = 'Staging', process = app) => {
      const query = new URLSearchParams({ deployment_key: keys[name] ?? '', app_version: '1.0.0', ...report });
      const answer = await process.http.inject({ url: `/v0.1/public/codepush/update_check?${query}` });
      return answer.statusCode === 200 ? answer.json().update_info : [answer.statusCode, answer.body];
    },
    report: async (kind: 'deploy' | 'download', report: Record<string, string | null>, name = 'Staging') => {
      const body = { deployment_key: keys[name] ?? '', app_version: '1.0.0', ...report };
      return (await app.call('POST', `/v0.1/public/codepush/report_status/${kind}`, { body })).statusCode;
    },
    metrics: async (name = 'Staging') => (await request('GET', at(name, '/metrics'))).body,
    actions: async () =>
      (await app.database.query((q) => q.selectFrom('audit_events').select('action').orderBy('id')))
        .map(({ action }) => action)
        .filter((action) => action.startsWith('deployment.')),
  };
}
