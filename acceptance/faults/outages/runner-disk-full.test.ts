import { once } from 'node:events';
import { expect, test } from 'vitest';
import { runMooring } from '../../harness/mooring.ts';
import { until, withRunner } from '../build-fixtures.ts';
import { withInstallation } from '../installation.ts';

interface Listed {
  is_online: boolean;
  trouble?: string;
}

test(
  'a runner with a full disk accepts no jobs and says why, until there is space',
  () =>
    withInstallation('sqlite', ({ settings }) =>
      withRunner(settings, { sandbox: 'host', options: ['--reserve-mb', '10000000'] }, async (fixtures) => {
        const { callApi, folder, host } = fixtures;
        const listed = async () => (await callApi<Listed[]>('GET', '/runners'))[0];
        const { trouble } = await until('the error of the runner', async () => {
          const found = await listed();
          return found?.trouble === undefined ? undefined : found;
        });
        expect(trouble).toMatch(/^The disk has only \d+ MiB free; the runner accepts no jobs below 10000000 MiB\.$/);
        host.push('main', {});
        await callApi('POST', '/branches/main/config', { toolsets: { custom: { commands: ['echo built'] } } });
        const { id } = await callApi<{ id: number }>('POST', '/branches/main/builds', {});
        // Enough time for any runner to claim the job.
        const { id: later } = await callApi<{ id: number }>('POST', '/branches/main/builds', {});
        for (const queued of [id, later])
          expect(await callApi('GET', `/builds/${queued}`)).toMatchObject({ status: 'notStarted' });

        const doctor = async () => {
          const { code, rows } = await runMooring(['runner', 'doctor'], { MOORING_RUNNER_DIR: folder });
          expect(code).toBe(0);
          return Object.fromEntries(rows);
        };
        expect(await doctor()).toMatchObject({
          runner: `box of ${fixtures.wire.url}`,
          server: 'reachable',
          disk: expect.stringMatching(/^\d+ MiB free/),
          node: expect.stringMatching(/^\d+\.\d+/),
        });

        const ended = once(fixtures.runner, 'exit');
        fixtures.runner.kill('SIGTERM');
        await ended;
        fixtures.startRunner([]);
        expect(await fixtures.waitForEnd(id)).toMatchObject({ result: 'succeeded' });
        expect(await listed()).toMatchObject({ is_online: true });
        expect(await listed()).not.toHaveProperty('trouble');

        fixtures.wire.close();
        expect((await doctor()).server).toContain("Can't reach");
      }),
    ),
  300_000,
);

test('registering on a machine with a full disk still shows its tools', async () => {
  const { code, rows } = await runMooring(['runner', 'doctor'], { MOORING_RUNNER_DIR: '/nonexistent/runner' });
  expect(code).toBe(0);
  expect(Object.fromEntries(rows)).toMatchObject({ runner: 'not registered', sandbox: expect.any(String) });
});
