import { expect, test } from 'vitest';
import { createForm, type FormPart, png } from '../../../../../../tools/samples/images.ts';
import { createApk } from '../../../../../../tools/samples/packages.ts';
import { testApp } from '../../../../test/harness/app.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import type { DialectName } from '../../../db/drivers/connection.ts';
import { DAY } from '../../../kernel/clock.ts';

const B = '/v0.1/apps/ada/compass';
const agent = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36';
const picture: FormPart = { field: 'pictures', fileName: 'a.png', type: 'image/png', content: png(4, 4) };
const nothingSelected: FormPart = { field: 'pictures', fileName: '', type: 'application/octet-stream', content: '' };

/** A release in a public group, and the path of its form. */
async function withRelease(dialect: DialectName) {
  const app = await testApp(dialect);
  const ada = await app.addUser('ada');
  const token = await app.userToken(ada);
  await app.addApp(ada, 'compass');
  const headers = { 'content-type': 'application/octet-stream' };
  await app.call('PUT', `${B}/releases/uploads?file_name=app.apk`, { token, body: createApk(), headers });
  await app.runJobs();
  const { id } = (await app.call('POST', `${B}/distribution_groups`, { token, body: { name: 'Open' } })).json();
  await app.call('PATCH', `${B}/distribution_groups/Open`, { token, body: { is_public: true } });
  await app.call('POST', `${B}/releases/1/groups`, { token, body: { id, notify_testers: false } });
  const page = await app.call('GET', '/install/users/ada/apps/compass/distribution_groups/Open');
  const [, path = ''] = /href="(\/install\/feedback\/[^"]+)"/.exec(page.body) ?? [];
  const post = (to: string, parts: FormPart[], as?: string) => {
    const { type, body } = createForm(...parts);
    return app.call('POST', to, {
      ...(as ? { token: as } : {}),
      body,
      headers: { 'content-type': type, 'user-agent': agent, 'accept-language': 'de-AT,de;q=0.9' },
    });
  };
  const list = async () => (await app.call('GET', `${B}/feedback`, { token })).json().values;
  return { app, ada, token, path, post, list };
}

const say = (content: string): FormPart => ({ field: 'text', content });

eachDatabase('feedback about a release', (dialect) => {
  test('is not accepted for a disabled release', async () => {
    const { app, token, path, post, list } = await withRelease(dialect);
    expect((await app.call('PUT', `${B}/releases/1`, { token, body: { enabled: false } })).statusCode).toBe(200);
    expect((await app.call('GET', path)).statusCode).toBe(404);
    expect((await post(path, [say('Hello')])).statusCode).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('is written on a page without scripts, without an account, and arrives with its release', async () => {
    const { app, token, path, post, list } = await withRelease(dialect);
    const form = await app.call('GET', path);
    expect(form.statusCode).toBe(200);
    expect(form.headers['content-security-policy']).toContain("form-action 'self'");
    expect(form.body).not.toContain('<script');
    const sent = await post(path, [say('<b>It</b> points to the south'), picture, nothingSelected]);
    expect([sent.statusCode, sent.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(sent.body).toContain('Thank you');
    expect(sent.body).not.toContain('south');
    const [message] = await list();
    expect(message).toMatchObject({
      source: 'install_page',
      text: '<b>It</b> points to the south',
      os: 'Android',
      locale: 'de-AT',
      picture_count: 1,
    });
    const one = (await app.call('GET', `${B}/feedback/${message.id}`, { token })).json();
    const release = (await app.call('GET', `${B}/releases/1`, { token })).json();
    expect([one.release_id, one.version, one.app_build, one.account]).toEqual([
      1,
      release.short_version,
      release.version,
      undefined,
    ]);
  });

  test('names the tester who is signed in', async () => {
    const { app, token, path, post, list } = await withRelease(dialect);
    expect((await app.call('GET', path, { token })).body).toContain('value="ada@example.com"');
    await post(path, [say('x')], token);
    const [{ id }] = await list();
    expect((await app.call('GET', `${B}/feedback/${id}`, { token })).json().account).toMatchObject({ name: 'ada' });
  });

  test('needs the link of the page: changed, foreign and expired ones are refused', async () => {
    const { app, path, post, list } = await withRelease(dialect);
    const other = path.replace('/1?', '/2?');
    for (const wrong of [
      other,
      path.replace(/token=.*/, 'token=none.x'),
      path.replace(/feedback\/.{8}/, 'feedback/00000000'),
    ]) {
      expect((await app.call('GET', wrong)).statusCode).toBe(404);
      expect((await post(wrong, [say('x')])).statusCode).toBe(404);
    }
    app.advance(8 * DAY);
    expect((await post(path, [say('x')])).statusCode).toBe(404);
    expect(await list()).toEqual([]);
  });

  test('refusals are pages that do not repeat the text', async () => {
    const { path, post, list } = await withRelease(dialect);
    for (const parts of [
      [say('')],
      [say('x'), say('y')],
      [say('x'), { field: 'email', content: 'a@b.example\r\nBcc: c@d.example' }],
      [say('x'), { ...picture, field: 'other' }],
      [say('x'), { ...picture, content: '<svg onload="alert(1)"/>' }],
    ]) {
      const response = await post(path, parts);
      expect([400, 415]).toContain(response.statusCode);
      expect(response.headers['content-type']).toContain('text/html');
      expect(response.body).not.toContain('alert');
      expect(response.body).not.toContain('Bcc');
    }
    expect(await list()).toEqual([]);
  });
});
