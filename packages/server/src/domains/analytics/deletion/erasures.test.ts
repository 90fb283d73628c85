import { expect, test } from 'vitest';
import { testApp } from '../../../../test/harness/app.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { tx } from '../../../db/tx.ts';
import { insertPart } from '../parts/parts.store.ts';
import { listParts, publishParts } from '../parts/parts.ts';
import { checkErasures, deleteEvent } from './erasures.ts';

eachDatabase('an erased event', (dialect) => {
  test('is hidden in a segment that is being published at the same time', async () => {
    const app = await testApp(dialect);
    const ada = await app.addUser('ada');
    const compass = await app.addApp(ada, 'compass');
    const ctx = { ...app.as(ada), app: compass, permission: 'manager' } as const;
    const [appId, day] = [compass.id, 20_000];
    const draft = { app_id: appId, id: 'part', day, state: 'draft', is_sealed: 0, log_count: 1 } as const;
    const rest = { files: '{}', forgotten: '[]', changed_at: 0 };
    await tx(ctx, ({ db }) => insertPart.run(db, { ...draft, ...rest }));
    const publish = () =>
      tx(ctx, async (ctx) => {
        await publishParts(ctx, appId, [{ appId, id: 'part', day }]);
        await checkErasures(ctx, appId, []);
      });
    await atOnce(app, [publish, () => deleteEvent(ctx, 'started')], 'analytics_parts');
    const parts = await listParts(app.deps, appId, { from: day, to: day });
    expect(parts.map(({ forgotten }) => forgotten)).toEqual([[{ kind: 'event', value: 'started' }]]);
  });
});
