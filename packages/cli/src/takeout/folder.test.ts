import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readDeployments } from './codepush.ts';
import { readFolder, readOrg } from './folder.ts';
import { readArchive } from './history.ts';

const temporary = mkdtempSync(path.join(tmpdir(), 'mooring-folder-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const APP = 'apps/harbour/compass';
const files = {
  'orgs/harbour/org.json': { name: 'harbour' },
  'orgs/harbour/users.json': [],
  [`${APP}/app.json`]: { name: 'compass', owner: { name: 'harbour', type: 'org' } },
  [`${APP}/users.json`]: [],
  [`${APP}/distribution_groups.json`]: [],
  [`${APP}/errors/errorGroups.json`]: { errorGroups: [] },
  [`${APP}/releases/1/release.json`]: { id: 1 },
  [`${APP}/releases/1/app.apk`]: 'package',
  [`${APP}/symbols/s1/symbols.json`]: { symbol_id: 's1' },
  [`${APP}/symbols/s1/symbols.zip`]: 'symbols',
  [`${APP}/codepush/Staging/deployment.json`]: { name: 'Staging' },
  [`${APP}/codepush/Staging/releases/v1/release.json`]: { label: 'v1' },
  [`${APP}/codepush/Staging/releases/v1/package`]: 'update',
  [`${APP}/archive/2026/01/02/03/04/logs.v1.data`]: [],
};

let count = 0;
function writeFolder(): string {
  const root = path.join(temporary, String(count++), 'export');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.join(root, path.dirname(name)), { recursive: true });
    writeFileSync(path.join(root, name), JSON.stringify(content));
  }
  return root;
}

function readEverything(root: string) {
  const org = readOrg(root, 'harbour');
  return readFolder(root).map((app) => ({
    org,
    app,
    deployments: readDeployments(app.folder),
    days: readArchive(app.folder),
  }));
}

/** All files, and the folders that contain them. */
const everything = [
  ...new Set(
    Object.keys(files).flatMap((name) => name.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))),
  ),
];

it('reads a folder without links, even if a link leads to it', () => {
  const root = writeFolder();
  const link = `${root}-link`;
  symlinkSync(root, link);
  for (const at of [root, link]) {
    expect(readEverything(at)).toMatchObject([
      {
        org: { org: { name: 'harbour' } },
        app: {
          releases: [{ file: path.join(at, APP, 'releases/1/app.apk') }],
          symbols: [{ file: path.join(at, APP, 'symbols/s1/symbols.zip') }],
        },
        deployments: [{ releases: [{ file: path.join(at, APP, 'codepush/Staging/releases/v1/package') }] }],
        days: [{ day: '2026-01-02' }],
      },
    ]);
  }
});

it.each(everything)('rejects a symbolic link at %s', (name) => {
  const root = writeFolder();
  const [here, elsewhere] = [path.join(root, name), path.join(path.dirname(root), 'elsewhere')];
  renameSync(here, elsewhere);
  symlinkSync(elsewhere, here);
  expect(() => readEverything(root)).toThrow(`${here} is a symbolic link`);
});

it.each(['apps/other', `${APP}/releases/2`, `${APP}/archive/loop`])(
  'rejects an additional symbolic link: %s',
  (name) => {
    const root = writeFolder();
    symlinkSync('..', path.join(root, name));
    expect(() => readEverything(root)).toThrow('is a symbolic link');
  },
);

it('rejects a broken symbolic link', () => {
  const root = writeFolder();
  const users = path.join(root, APP, 'users.json');
  rmSync(users);
  symlinkSync('/nowhere', users);
  expect(() => readEverything(root)).toThrow(`${users} is a symbolic link`);
});
