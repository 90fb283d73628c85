import { expect, test } from 'vitest';
import { at, createBundle, deploymentsUrl, withDeployments } from '../harness/codepush.ts';
import { atOnce } from '../harness/races.ts';
import { eachDatabase } from '../harness/services/databases.ts';

// On SQLite transactions take turns.
eachDatabase('concurrent changes of a deployment', (dialect) => {
  async function prepare() {
    const made = await withDeployments(dialect);
    const { request, release } = made;
    await release('one');
    await release('two');
    await release('first', 'Production');
    await release('second', 'Production', { rollout: 20 });
    const history = async (name: string): Promise<{ label: string; rollout: number; is_disabled: boolean }[]> =>
      (await request('GET', at(name, '/releases'))).body;
    return { ...made, history };
  }
  const labels = (list: { label: string }[]) => list.map(({ label }) => label);

  test('produce unique labels, and each succeeds or fails as a whole', async () => {
    const { app, request, upload, releaseUpload, history, actions } = await prepare();
    const id = await upload(createBundle('third'), 'Production');
    const before = (await actions()).length;
    const requests = [
      () => request('PATCH', at('Production', '/releases/v2'), { rollout: 50 }),
      () => request('POST', at('Production', '/rollback_release'), {}),
      () => request('POST', `${deploymentsUrl}/Staging/promote_release/Production`, {}),
      () => releaseUpload(id, 'Production'),
    ];
    const answers = await atOnce(app, requests);
    expect(answers.map(({ status }) => status).filter((status) => ![200, 201, 204, 409].includes(status))).toEqual([]);
    const made = answers.slice(1).flatMap(({ status, body }) => (status < 300 ? [body.label as string] : []));
    expect(made.length).toBeGreaterThan(0);
    expect(new Set(made).size).toBe(made.length);
    const after = labels(await history('Production'));
    expect(after).toEqual(Array.from({ length: 2 + made.length }, (_, index) => `v${index + 1}`));
    const changed = answers.filter(({ status }) => status < 204).length;
    expect((await actions()).length - before).toBe(changed);
  });

  test('promote in both directions without a deadlock', async () => {
    const { app, request, history } = await prepare();
    await request('PATCH', at('Production', '/releases/v2'), { rollout: 100 });
    const promote = (from: string, to: string) => () =>
      request('POST', `${deploymentsUrl}/${from}/promote_release/${to}`, {});
    const answers = await atOnce(app, [promote('Staging', 'Production'), promote('Production', 'Staging')]);
    // In sequence, the second request would promote a release that is there already.
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(answers.map(({ status }) => status));
    const made = answers.filter(({ status }) => status === 200).length;
    expect((await history('Staging')).length + (await history('Production')).length).toBe(4 + made);
    expect(labels(await history('Production'))).toEqual(['v1', 'v2', 'v3']);
  });

  test('only increase a rollout, in any order', async () => {
    const { app, request, history } = await prepare();
    const grow = (rollout: number) => () => request('PATCH', at('Production', '/releases/v2'), { rollout });
    const answers = await atOnce(app, [grow(60), grow(40), grow(80)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
    expect((await history('Production')).at(-1)).toMatchObject({ label: 'v2', rollout: 80 });
  });
});
