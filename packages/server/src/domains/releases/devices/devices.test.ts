import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { createIpa } from '../../../../../../tools/samples/packages.ts';
import { type TestApp, testApp } from '../../../../test/harness/app.ts';
import { recorded } from '../../../../test/harness/audit.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { localCertificate } from '../../../http/network/tls.ts';
import { HOUR } from '../../../kernel/clock.ts';

const publicUrl = 'https://mooring.example.com';
const B = '/v0.1/apps/ada/tides';
const known = '00008030-000A1B2C3D4E5F60';
const other = '00008030-001C2D3E4F5A6B7C';

async function createFixtures(app: TestApp) {
  const [ada, grace] = [await app.addUser('ada'), await app.addUser('grace')];
  const tokens = { ada: await app.userToken(ada), grace: await app.userToken(grace) };
  const call = (method: string, url: string, body?: unknown, token = tokens.ada) =>
    app.call(method, url, { token, body });
  await call('POST', '/v0.1/apps', { name: 'tides', display_name: 'Tides', os: 'iOS', platform: 'Custom' });
  await call('POST', `${B}/distribution_groups`, { name: 'Crew' });
  await call('POST', `${B}/distribution_groups/Crew/members`, { user_emails: ['ada@example.com'] });
  const register = (udid: string, more: object = {}, who: 'ada' | 'grace' = 'ada', id = { ada, grace }[who].id) =>
    call('POST', `/v0.1/users/${id}/devices/register`, { udid, model: 'iPhone12,1', ...more }, tokens[who]);
  return { ada, grace, tokens, call, register };
}

const plistWith = (udid: string): string =>
  `<?xml version="1.0"?><plist version="1.0"><dict><key>UDID</key><string>${udid}</string><key>PRODUCT</key><string>iPad13,4</string><key>VERSION</key><string>21F90</string><key>SERIAL</key><string>F2L</string></dict></plist>`;

eachDatabase('a device of a tester', (dialect) => {
  test('is registered by its owner, listed for the group and deleted again', async () => {
    const app = await testApp(dialect);
    const { call, register, tokens, ada } = await createFixtures(app);
    const first = await register(known.toLowerCase(), { serial: 'F2L', imei: '35', os_version: '17.5' });
    expect(first.json()).toMatchObject({ udid: known, serial: 'F2L', status: 'registered', owner_id: ada.id });
    await register(other, { model: '=HYPERLINK("x")' });
    await register(other, {}, 'grace');
    const listed = (await call('GET', `${B}/distribution_groups/Crew/devices`)).json();
    expect(listed.map(({ udid, status }: Record<string, string>) => [udid, status])).toEqual([
      [known, 'registered'],
      [other, 'registered'],
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/serial|imei/);
    const { id } = (await call('GET', `${B}/distribution_groups/Crew`)).json();
    const headers = { 'content-type': 'application/octet-stream' };
    const put = { token: tokens.ada, body: createIpa({ udids: [known] }), headers };
    await app.call('PUT', `${B}/releases/uploads?file_name=tides.ipa`, put);
    await app.runJobs();
    await call('POST', `${B}/releases/1/groups`, { id, notify_testers: false });
    const statuses = (await call('GET', `${B}/distribution_groups/Crew/devices?release_id=1`)).json();
    expect(statuses.map(({ status }: Record<string, string>) => status)).toEqual(['provisioned', 'unprovisioned']);
    expect((await call('GET', `${B}/distribution_groups/Crew/devices?release_id=9`)).statusCode).toBe(404);
    const csv = `${B}/distribution_groups/Crew/devices/download_devices_list`;
    expect((await call('GET', csv)).body).toBe(
      `Device ID\tDevice Name\tDevice Platform\n${known}\tada's iPhone12,1\tios\n${other}\tada's =HYPERLINK("x")\tios\n`,
    );
    expect((await call('GET', `${csv}?unprovisioned_only=true`)).body.split('\n')).toHaveLength(3);
    expect((await call('GET', `${csv}?udids=${known}`)).body).toContain(known);
    expect((await call('DELETE', `/v0.1/user/devices/${known}`)).statusCode).toBe(200);
    expect((await call('GET', `/v0.1/user/devices/${known}`)).statusCode).toBe(404);
    expect((await call('GET', '/v0.1/user/devices')).json()).toMatchObject([{ udid: other }]);
    expect(await recorded(app, 'device.')).toHaveLength(4);
  });

  test('cannot be registered for another user or with an invalid UDID', async () => {
    const app = await testApp(dialect);
    const { register, call, tokens, grace } = await createFixtures(app);
    expect((await register(known, {}, 'ada', grace.id)).statusCode).toBe(404);
    for (const udid of ['', 'x', `${known}\n`, 'a'.repeat(41), '00008030_000A1B2C3D4E5F60'])
      expect((await register(udid)).statusCode).toBe(400);
    expect((await register(known, { model: 'a\tb' })).statusCode).toBe(400);
    await register(known);
    expect((await call('DELETE', `/v0.1/user/devices/${known}`, undefined, tokens.grace)).statusCode).toBe(404);
    for (const url of [
      `${B}/distribution_groups/Crew/devices`,
      `${B}/distribution_groups/Crew/devices/download_devices_list`,
    ])
      expect((await call('GET', url, undefined, tokens.grace)).statusCode).toBe(404);
  });

  test('registers itself with a profile for the user who requested it, within an hour', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, tokens } = await createFixtures(app);
    const profile = await call('GET', '/v0.1/user/devices/enrolment_profile', undefined, tokens.grace);
    expect(profile.headers['content-type']).toContain('application/x-apple-aspen-config');
    const [, address = ''] = /<string>https:\/\/mooring\.example\.com(\/v0\.1[^<]+)<\/string>/.exec(profile.body) ?? [];
    const headers = { 'content-type': 'application/pkcs7-signature' };
    const send = (body: string | Buffer, url = address) => app.call('POST', url, { body: Buffer.from(body), headers });
    const signed = Buffer.concat([Buffer.from([0x30, 0x82, 0, 1]), Buffer.from(plistWith(other)), Buffer.from([0, 9])]);
    const response = await send(signed);
    expect([response.statusCode, response.headers.location]).toEqual([
      301,
      `${publicUrl}/install/register-device?udid=${other}`,
    ]);
    const devices = (await call('GET', '/v0.1/user/devices', undefined, tokens.grace)).json();
    expect(devices).toMatchObject([{ udid: other, model: 'iPad13,4', serial: 'F2L' }]);
    const broken = [
      '',
      'x',
      plistWith('none'),
      '<?xml <a</plist>',
      `<?xml version="1.0"?><plist>${'<a>'.repeat(9000)}</plist>`,
    ];
    for (const body of broken) expect((await send(body)).statusCode).toBeGreaterThanOrEqual(400);
    const forged = address.replace(/token=[^.]+/, `token=${(app.deps.clock.now() * 2).toString(36)}`);
    expect((await send(plistWith(known), forged)).statusCode).toBe(403);
    app.advance(HOUR + 1);
    expect((await send(plistWith(known))).statusCode).toBe(403);
    expect((await call('GET', '/v0.1/user/devices')).json()).toEqual([]);
  });

  test('gets a profile signed with the certificate of the server', async () => {
    const app = await testApp(dialect, { publicUrl });
    const { call, tokens } = await createFixtures(app);
    const plain = (await call('GET', '/v0.1/user/devices/enrolment_profile', undefined, tokens.grace)).rawPayload;
    expect(plain.subarray(0, 5).toString()).toBe('<?xml');
    const { cert } = await localCertificate(app.deps.config.dataDir, ['localhost'], app.deps.clock.now());
    const signed = (await call('GET', '/v0.1/user/devices/enrolment_profile', undefined, tokens.grace)).rawPayload;
    expect(signed[0]).toBe(0x30);
    expect(signed.includes(new X509Certificate(cert).raw)).toBe(true);
    expect(signed.toString('latin1')).toContain(`<string>${publicUrl}/v0.1/public/devices/enrol?token=`);
  });

  test('is limited to a hundred per user', async () => {
    const app = await testApp(dialect);
    const { register } = await createFixtures(app);
    for (let n = 0; n < 100; n++) await register(`00008030-${String(n).padStart(16, '0')}`);
    expect((await register(known)).statusCode).toBe(409);
    expect((await register('00008030-0000000000000007', { model: 'iPhone13' })).json().model).toBe('iPhone13');
  });
});
