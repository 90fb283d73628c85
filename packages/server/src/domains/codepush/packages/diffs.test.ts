import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import type { ZipPart } from '../../../../../../tools/samples/zips.ts';
import { at, createBundle, withDeployments } from '../../../../test/harness/codepush.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { makeDiffs } from './diffs.ts';

/** Unchanged content, so that a diff is smaller than the package. */
const image: ZipPart = {
  path: 'CodePush/a.png',
  content: Buffer.from(Array.from({ length: 50_000 }, (_, n) => Math.imul(n ^ (n >>> 3), 2654435761) >>> 24)),
};
const withImage = (text: string): Buffer => createBundle(text, image);

eachDatabase('diffs', (dialect) => {
  test('are offered to devices with an earlier package, and smaller than the package', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const { body: first } = await release(withImage('one'));
    const { body: second } = await release(withImage('two'));
    expect(await check({ label: 'v1', package_hash: first.package_hash })).toMatchObject({
      download_url: second.blob_url,
      package_size: second.size,
    });
    await app.runJobs();
    const diffs = (await request('GET', at('Staging', '/releases'))).body[1].diff_package_map;
    expect(Object.keys(diffs)).toEqual([first.package_hash]);
    const { url, size } = diffs[first.package_hash];
    expect(size).toBeLessThan(1000);
    expect(await check({ label: 'v1', package_hash: first.package_hash })).toMatchObject({
      download_url: url,
      package_size: size,
      package_hash: second.package_hash,
    });
    expect(await check()).toMatchObject({ download_url: second.blob_url, package_size: second.size });
    const file = await app.call('GET', new URL(url).pathname);
    expect([file.statusCode, file.rawPayload.length, file.headers['content-length']]).toEqual([
      200,
      size,
      String(size),
    ]);
    expect(file.rawPayload.toString('latin1')).toContain('hotcodepush.json');
  });

  test('are created against five earlier packages for the same binaries, and no others', async () => {
    const { app, request, release } = await withDeployments(dialect);
    const hashes: string[] = [];
    for (const text of ['1', '2', '3', '4', '5', '6']) hashes.push((await release(withImage(text))).body.package_hash);
    await release(withImage('other'), 'Staging', { target_binary_version: '2.0.0' });
    await release(withImage('7'), 'Staging', { target_binary_version: '1.x' });
    await app.runJobs();
    const history = (await request('GET', at('Staging', '/releases'))).body as { diff_package_map: object }[];
    expect(Object.keys(history.at(-1)?.diff_package_map ?? {}).sort()).toEqual(hashes.slice(1).sort());
    expect(Object.keys(history.at(-2)?.diff_package_map ?? {})).toEqual([]);
    expect(Object.keys(history.at(0)?.diff_package_map ?? {})).toEqual([]);
  });

  test('are created after a promotion or a rollback too', async () => {
    const { app, request, release } = await withDeployments(dialect);
    const { body: old } = await release(withImage('old'), 'Production');
    await release(withImage('new'));
    await request('POST', at('Staging', '/promote_release/Production'), {});
    await app.runJobs();
    const newest = async () => (await request('GET', at('Production'))).body.latest_release;
    expect(Object.keys((await newest()).diff_package_map)).toEqual([old.package_hash]);
    const { package_hash: bad } = await newest();
    await request('POST', at('Production', '/rollback_release'));
    await app.runJobs();
    expect(Object.keys((await newest()).diff_package_map)).toEqual([bad]);
  });

  test('are recreated after an interruption and not served before', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const { body: first } = await release(withImage('one'));
    const { body: second } = await release(withImage('two'));
    const [{ id: deploymentId = '' } = {}] = await app.database.query((q) =>
      q.selectFrom('codepush_deployments').select('id').where('name', '=', 'Staging'),
    );
    const cut = {
      ...app.deps,
      blobs: { ...app.deps.blobs, put: () => Promise.reject(new Error('the power is gone')) },
    };
    await expect(makeDiffs(systemCtx(cut), { deploymentId, number: 2 })).rejects.toThrow('the power is gone');
    const rows = () => app.database.query((q) => q.selectFrom('codepush_diffs').select(['id', 'state']));
    const [begun] = await rows();
    expect(begun?.state).toBe('making');
    const url = `/v0.1/public/codepush/packages/${begun?.id}`;
    expect((await app.call('GET', url)).statusCode).toBe(404);
    expect(await check({ package_hash: first.package_hash })).toMatchObject({ download_url: second.blob_url });
    await app.runJobs();
    expect(await rows()).toEqual([{ id: begun?.id, state: 'ready' }]);
    expect((await request('GET', at('Staging'))).body.latest_release.diff_package_map).toHaveProperty(
      first.package_hash,
    );
  });

  test('of a corrupted package are never served', async () => {
    const { app, request, check, release } = await withDeployments(dialect);
    const { body: first } = await release(withImage('one'));
    const { body: second } = await release(withImage('two'));
    const id = second.blob_url.split('/').at(-1);
    const [{ blob_key: key = '' } = {}] = await app.database.query((q) =>
      q.selectFrom('codepush_packages').select('blob_key').where('id', '=', id),
    );
    const other = withImage('something else');
    await app.deps.blobs.put(key, [other], { type: 'application/zip', maxBytes: other.length });
    await app.runJobs();
    expect((await request('GET', at('Staging'))).body.latest_release.diff_package_map).toEqual({});
    expect(await check({ package_hash: first.package_hash })).toMatchObject({ download_url: second.blob_url });
    expect(await app.logged()).toContain('failed to create a diff of a package');
    const whole = await app.deps.blobs.get(key);
    expect(whole && (await buffer(whole.stream)).equals(other)).toBe(true);
  });
});
