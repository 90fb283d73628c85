import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { testApp } from './harness/app.ts';

const folder = path.join(import.meta.dirname, '../../../docs/samples');
const read = (name: string) => readFileSync(path.join(folder, name), 'utf8');

/** Request of each sample, as in its README. */
const samples: Record<string, { method?: 'PUT'; url: string; type: string; repository?: true }> = {
  'health-event.json': {
    method: 'PUT',
    url: '/providers/Vendor.ResourceHealth/events/MAIL-1?api-version=2024-02-01',
    type: 'application/json',
  },
  'health-events.ndjson': {
    url: '/providers/Vendor.ResourceHealth/events/import?api-version=2024-02-01',
    type: 'application/x-ndjson',
  },
  'junit-results.xml': {
    url: '/v0.1/apps/ada/compass/test_runs/import?device=Pixel%208&os=14',
    type: 'application/xml',
  },
  'export-configuration.json': { url: '/v0.1/apps/ada/compass/export_configurations', type: 'application/json' },
  'build-configuration.json': {
    url: '/v0.1/apps/ada/compass/branches/main/config',
    type: 'application/json',
    repository: true,
  },
};

test('every sample is tested, and named in the README', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md');
  expect(files.toSorted()).toEqual(Object.keys(samples).toSorted());
  for (const name of files) expect(read('README.md')).toContain(`(${name})`);
});

test.each(Object.entries(samples))(
  'the server accepts the sample %s unchanged',
  async (name, { method = 'POST', url, type, repository }) => {
    const app = await testApp('sqlite');
    const ada = await app.addUser('ada', { isAdmin: true });
    await app.addApp(ada, 'compass');
    const token = await app.userToken(ada);
    if (repository) {
      const body = { repo_url: 'https://git.example.com/a.git' };
      await app.call('POST', '/v0.1/apps/ada/compass/repo_config', { token, body });
    }
    const answer = await app.call(method, url, { token, headers: { 'content-type': type }, body: read(name) });
    expect([answer.statusCode, answer.body]).toEqual([expect.toSatisfy((code) => code < 300), expect.any(String)]);
    if (name === 'health-events.ndjson') expect(answer.json()).toMatchObject({ imported: 2, refusedCount: 0 });
    if (name === 'junit-results.xml') expect(answer.json().stats).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
  },
);
