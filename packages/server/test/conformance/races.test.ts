import { expect, test } from 'vitest';
import { at, bundleOf, deploymentsUrl, withDeployments } from '../harness/codepush.ts';
import { eachDatabase } from '../harness/databases.ts';
import { atOnce } from '../harness/races.ts';

// On SQLite transactions take turns anyway.
eachDatabase('changes of one deployment at the same time', (dialect) => {
  async function prepare() {
    const made = await withDeployments(dialect);
    const { ask, release } = made;
    await release('one');
    await release('two');
    await release('first', 'Production');
    await release('second', 'Production', { rollout: 20 });
    const history = async (name: string): Promise<{ label: string; rollout: number; is_disabled: boolean }[]> =>
      (await ask('GET', at(name, '/releases'))).body;
    return { ...made, history };
  }
  const labels = (list: { label: string }[]) => list.map(({ label }) => label);

  test('leave a history with unique labels, and each is done or refused as a whole', async () => {
    const { app, ask, upload, releaseUpload, history, actions } = await prepare();
    const id = await upload(bundleOf('third'), 'Production');
    const before = (await actions()).length;
    const requests = [
      () => ask('PATCH', at('Production', '/releases/v2'), { rollout: 50 }),
      () => ask('POST', at('Production', '/rollback_release'), {}),
      () => ask('POST', `${deploymentsUrl}/Staging/promote_release/Production`, {}),
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
    const { app, ask, history } = await prepare();
    await ask('PATCH', at('Production', '/releases/v2'), { rollout: 100 });
    const promote = (from: string, to: string) => () =>
      ask('POST', `${deploymentsUrl}/${from}/promote_release/${to}`, {});
    const answers = await atOnce(app, [promote('Staging', 'Production'), promote('Production', 'Staging')]);
    // One after the other, the second would release what is out already.
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(answers.map(({ status }) => status));
    const made = answers.filter(({ status }) => status === 200).length;
    expect((await history('Staging')).length + (await history('Production')).length).toBe(4 + made);
    expect(labels(await history('Production'))).toEqual(['v1', 'v2', 'v3']);
  });

  test('let a rollout only grow, whoever comes last', async () => {
    const { app, ask, history } = await prepare();
    const grow = (rollout: number) => () => ask('PATCH', at('Production', '/releases/v2'), { rollout });
    const answers = await atOnce(app, [grow(60), grow(40), grow(80)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
    expect((await history('Production')).at(-1)).toMatchObject({ label: 'v2', rollout: 80 });
  });
});
