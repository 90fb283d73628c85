import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import type { AppCtx } from '../../../context.ts';
import { listHostedRepositories, type SourceHost } from './source-hosts.ts';

const cloned = (name: string) => `https://host.example.com/${name}.git`;
const pair = `Basic ${Buffer.from('ada:sesame').toString('base64')}`;

/** An app with a repository whose host sends this response. */
async function createHost(repo_url: string, response: { status: number; body: string }, credentials: object = {}) {
  const app = await testApp('sqlite');
  const ada = await app.addUser('ada');
  const compass = await app.addApp(ada, 'compass');
  const token = await app.userToken(ada);
  const body = { repo_url, username: 'ada', password: 'sesame', ...credentials };
  expect((await app.call('POST', '/v0.1/apps/ada/compass/repo_config', { token, body })).statusCode).toBe(200);
  const requests: unknown[] = [];
  const ctx: AppCtx = {
    ...app.as(ada),
    app: compass,
    permission: 'manager',
    fetch: async (url, request = {}) => {
      requests.push([url, request.headers?.authorization]);
      return { status: response.status, headers: {}, body: Buffer.from(response.body) };
    },
  };
  return { requests, list: (host: SourceHost) => listHostedRepositories(ctx, host, {}) };
}

test.each([
  [
    'github',
    'https://github.com/ada/compass.git',
    'https://api.github.com/user/repos?per_page=100&sort=pushed',
    'Bearer sesame',
    [{ full_name: 'ada/compass', clone_url: cloned('ada/compass') }],
  ],
  [
    'gitlab',
    'https://gitlab.example.com/ada/compass.git',
    'https://gitlab.example.com/api/v4/projects?membership=true&per_page=100&order_by=last_activity_at',
    'Bearer sesame',
    [{ path_with_namespace: 'ada/compass', http_url_to_repo: cloned('ada/compass') }],
  ],
  [
    'bitbucket',
    'https://bitbucket.org/ada/compass.git',
    'https://api.bitbucket.org/2.0/repositories?role=member&pagelen=100',
    pair,
    {
      values: [
        {
          full_name: 'ada/compass',
          links: {
            clone: [
              { name: 'ssh', href: 'git@x' },
              { name: 'https', href: cloned('ada/compass') },
            ],
          },
        },
      ],
    },
  ],
  [
    'vsts',
    'https://dev.azure.com/harbour/Sea/_git/compass',
    'https://dev.azure.com/harbour/_apis/git/repositories?api-version=7.0',
    pair,
    { value: [{ name: 'ada/compass', remoteUrl: cloned('ada/compass') }] },
  ],
] as const)('lists repositories at %s through its documented API', async (host, url, address, how, response) => {
  const { requests, list } = await createHost(url, { status: 200, body: JSON.stringify(response) });
  expect(await list(host)).toEqual([{ name: 'ada/compass', cloneUrl: cloned('ada/compass') }]);
  expect(requests).toEqual([[address, how]]);
});

test('reports unexpected responses of a host, and calls no other host', async () => {
  const url = 'https://github.com/ada/compass.git';
  const refusing = await createHost(url, { status: 403, body: '{}' });
  await expect(refusing.list('github')).rejects.toThrow(
    'The repository host responded with 403. Check that the token may list repositories.',
  );
  expect(await refusing.list('gitlab')).toEqual([]);
  expect(refusing.requests).toHaveLength(1);
  const strange = await createHost(url, { status: 200, body: '<html>' });
  await expect(strange.list('github')).rejects.toThrow('is not a list of repositories');
  const open = await createHost(url, { status: 200, body: '[]' }, { username: undefined, password: undefined });
  expect([await open.list('github'), open.requests]).toEqual([[], []]);
});
