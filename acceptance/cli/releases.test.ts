import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApk, createIpa } from '../../tools/samples/packages.ts';
import { type Result, runWarmMooring } from '../harness/mooring.ts';
import { admin, type RunningServer, startServer } from '../harness/server.ts';

let server: RunningServer;
let scratch: string;
const at = (name: string) => path.join(scratch, name);

const mooring = (command: string, input?: string): Promise<Result> =>
  runWarmMooring(command.split(' '), { MOORING_CONFIG_DIR: at('config'), NODE_EXTRA_CA_CERTS: server.caFile }, input);
const done = async (command: string, input?: string): Promise<Result> => {
  const result = await mooring(command, input);
  expect([command, result.code, result.stderr]).toEqual([command, 0, expect.any(String)]);
  return result;
};
const readJson = async (command: string) => JSON.parse((await done(`${command} --json`)).stdout);

beforeAll(async () => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-releases-'));
  server = await startServer();
  await done(`login --server ${server.httpsUrl} --user ${admin.name} --password-stdin`, admin.password);
});
afterAll(async () => {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
});

it('a package is uploaded, shown, distributed, updated, downloaded and deleted', async () => {
  await done('apps create Compass --os Android --platform Java');
  await done('groups create ada/Compass Crew');
  writeFileSync(at('compass.apk'), createApk());
  writeFileSync(at('notes.md'), '- Finds north');
  const upload = `releases upload ada/Compass ${at('compass.apk')} --notes-from ${at('notes.md')}`;
  expect(await readJson(upload)).toMatchObject({ id: 1, short_version: '1.4.0', release_notes: '- Finds north' });
  const [listed] = (await done('releases list ada/Compass')).rows;
  expect(listed?.slice(0, 4)).toEqual(['1', '1.4.0 (140)', 'yes', '1 KiB']);

  expect((await mooring('releases distribute ada/Compass 1')).stderr).toContain('Missing destination');
  await done('releases distribute ada/Compass 1 --group Crew --mandatory yes --silent');
  await done('releases distribute ada/Compass 1 --tester ada@example.com --silent');
  const { destinations } = await readJson('releases show ada/Compass latest');
  expect(destinations).toMatchObject([
    { name: 'Crew', mandatory_update: true },
    { name: 'ada@example.com', mandatory_update: false },
  ]);
  expect((await mooring('releases distribute ada/Compass 1 --group Nowhere')).code).not.toBe(0);
  expect((await mooring('releases distribute ada/Compass 9 --group Crew')).code).not.toBe(0);

  await done('releases edit ada/Compass 1 --notes Changed --state disabled');
  expect(await readJson('releases show ada/Compass 1')).toMatchObject({ enabled: false, release_notes: 'Changed' });
  expect((await mooring('releases edit ada/Compass 1')).stderr).toContain('Nothing to change');

  await done(`releases download ada/Compass 1 --to ${at('fetched.apk')}`);
  expect(readFileSync(at('fetched.apk')).equals(createApk())).toBe(true);

  await done('releases delete ada/Compass 1 --yes');
  expect((await mooring('releases show ada/Compass 1')).code).toBe(4);
});

it('a file that is not a package is rejected with the reason', async () => {
  await done('apps create Sextant --os Android --platform Java');
  writeFileSync(at('broken.apk'), 'hello');
  const broken = await mooring(`releases upload ada/Sextant ${at('broken.apk')}`);
  expect([broken.code, broken.stderr]).toEqual([expect.any(Number), expect.stringContaining('Invalid archive')]);
  expect(broken.code).not.toBe(0);
  expect((await mooring(`releases upload ada/Sextant ${at('none.apk')}`)).code).not.toBe(0);
});

it('old releases are pruned, after a preview', async () => {
  await done('apps create Lead --os Android --platform Java');
  for (const version of [1, 2, 3]) {
    writeFileSync(at('lead.apk'), createApk({ version }));
    await done(`releases upload ada/Lead ${at('lead.apk')}`);
  }
  expect((await mooring('releases prune ada/Lead')).stderr).toContain('has no retention rule');
  expect((await done('releases prune ada/Lead --last 1 --dry-run')).rows.map(([id]) => id)).toEqual(['2', '1']);
  expect(await readJson('releases prune ada/Lead --last 1 --yes')).toEqual({ deleted: [1, 2] });
  expect((await done('releases list ada/Lead')).rows.map(([id]) => id)).toEqual(['3']);
});

it('devices of testers are registered, listed for signing, and deleted', async () => {
  const [known, other] = ['00008030-000A1B2C3D4E5F60', '00008030-001C2D3E4F5A6B7C'];
  await done(`apple-devices add ${known} iPhone16,1`);
  await done(`apple-devices add ${other} iPad13,4`);
  await done('apps create Tides --os iOS --platform Objective-C-Swift');
  await done('groups create ada/Tides Crew');
  await done('groups add-testers ada/Tides Crew ada@example.com');
  writeFileSync(at('tides.ipa'), createIpa({ udids: [known] }));
  await done(`releases upload ada/Tides ${at('tides.ipa')} --group Crew --silent`);
  const listed = await readJson('apple-devices of-group ada/Tides Crew');
  expect(listed.map(({ udid }: { udid: string }) => udid)).toEqual([known, other]);
  expect((await done('apple-devices file ada/Tides Crew --missing')).stdout).toBe(
    `Device ID\tDevice Name\tDevice Platform\n${other}\tada's iPad13,4\tios\n`,
  );
  await done(`apple-devices remove ${other} --yes`);
  expect((await done('apple-devices list')).rows.map(([udid]) => udid)).toEqual([known]);
});
