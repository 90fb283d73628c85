import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { crash, crashApp } from '../../../../test/harness/crashes.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { HOUR } from '../../../kernel/clock.ts';

eachDatabase('announcements of crash groups', (dialect) => {
  const open = async () => {
    const opened = await crashApp(dialect, { crashesAnnouncedPerHour: 3 });
    const { app } = opened;
    const announced = async () =>
      (await app.database.query((q) => q.selectFrom('announcements').select(['type', 'data']).orderBy('id'))).map(
        ({ data }) => JSON.parse(data),
      );
    const sendNew = (...names: string[]) =>
      opened.send(randomUUID(), ...names.map((name) => ({ ...crash(), exception: { type: name, message: 'm' } })));
    return { ...opened, announced, sendNew };
  };

  test('are combined into one summary beyond the hourly limit, without a ticket', async () => {
    const { app, announced, sendNew } = await open();
    await sendNew('A', 'B', 'C', 'D', 'E');
    await sendNew('F');
    expect((await announced()).map(({ reason }) => reason)).toEqual(['A: m', 'B: m', 'C: m']);
    app.advance(HOUR);
    await app.runJobs();
    expect((await announced()).slice(3)).toMatchObject([
      { more_count: 3, is_new_issue: false, reason: 'D: m', url: expect.stringMatching(/\/crashes$/) },
    ]);
    await app.runJobs();
    expect(await announced()).toHaveLength(4);
    await sendNew('G');
    expect((await announced()).at(-1)).toMatchObject({ reason: 'G: m', is_new_issue: true });
    expect((await announced()).at(-1)).not.toHaveProperty('more_count');
  });

  test('have no summary up to the limit', async () => {
    const { app, announced, sendNew } = await open();
    await sendNew('A', 'B', 'C');
    app.advance(HOUR);
    await app.runJobs();
    expect(await announced()).toHaveLength(3);
  });
});
