import { once } from 'node:events';
import { expect, test } from 'vitest';
import { runMooring } from '../harness/mooring.ts';
import { until, withRunner } from './build-world.ts';
import { withInstallation } from './installation.ts';

interface Listed {
  is_online: boolean;
  trouble?: string;
}

test(
  'a runner without room on its disk takes no work and says why, until there is some',
  () =>
    withInstallation('sqlite', ({ settings }) =>
      withRunner(settings, { sandbox: 'host', options: ['--reserve-mb', '10000000'] }, async (world) => {
        const { ask, folder, host } = world;
        const listed = async () => (await ask<Listed[]>('GET', '/runners'))[0];
        const { trouble } = await until('Its trouble', async () => {
          const found = await listed();
          return found?.trouble === undefined ? undefined : found;
        });
        expect(trouble).toMatch(/^The disk has \d+ MiB left; it takes no work below 10000000 MiB\.$/);
        host.push('main', {});
        await ask('POST', '/branches/main/config', { toolsets: { custom: { commands: ['echo built'] } } });
        const { id } = await ask<{ id: number }>('POST', '/branches/main/builds', {});
        // Whoever would take it has had the time to.
        const { id: later } = await ask<{ id: number }>('POST', '/branches/main/builds', {});
        for (const queued of [id, later])
          expect(await ask('GET', `/builds/${queued}`)).toMatchObject({ status: 'notStarted' });

        const doctor = async () => {
          const { code, rows } = await runMooring(['runner', 'doctor'], { MOORING_RUNNER_DIR: folder });
          expect(code).toBe(0);
          return Object.fromEntries(rows);
        };
        expect(await doctor()).toMatchObject({
          runner: `box of ${world.wire.url}`,
          server: 'answers',
          disk: expect.stringMatching(/^\d+ MiB are free/),
          node: expect.stringMatching(/^\d+\.\d+/),
        });

        const ended = once(world.runner, 'exit');
        world.runner.kill('SIGTERM');
        await ended;
        world.startRunner([]);
        expect(await world.endOf(id)).toMatchObject({ result: 'succeeded' });
        expect(await listed()).toMatchObject({ is_online: true });
        expect(await listed()).not.toHaveProperty('trouble');

        world.wire.close();
        expect((await doctor()).server).toContain('cannot be reached');
      }),
    ),
  300_000,
);

test('a machine that is no runner yet is told what it has all the same', async () => {
  const { code, rows } = await runMooring(['runner', 'doctor'], { MOORING_RUNNER_DIR: '/nonexistent/runner' });
  expect(code).toBe(0);
  expect(Object.fromEntries(rows)).toMatchObject({ runner: 'not registered', sandbox: expect.any(String) });
});
