import { randomUUID } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { createZip } from '../../../../../../tools/samples/zips.ts';
import { at, createBundle, withDeployments } from '../../../../test/harness/codepush.ts';
import { atOnce } from '../../../../test/harness/races.ts';
import { eachDatabase } from '../../../../test/harness/services/databases.ts';
import { systemCtx } from '../../../context.ts';
import { DAY, HOUR } from '../../../kernel/clock.ts';
import { sweepPackages } from '../packages/packages.ts';

eachDatabase('releases', (dialect) => {
  test('are created from an upload, with the hash that devices compute, and can be downloaded', async () => {
    const { app, request, release } = await withDeployments(dialect, { publicUrl: 'https://cp.example.com' });
    const content = createZip([
      { path: 'CodePush/main.jsbundle', content: 'x\n' },
      { path: 'CodePush/assets/a.png', content: '' },
      { path: 'CodePush/.codepushrelease', content: 'eyJhbGciOiJSUzI1NiJ9.signed' },
    ]);
    const made = await release(content, 'Staging', { description: 'hello', mandatory: true, rollout: 50 });
    expect(made).toEqual({
      status: 201,
      body: {
        label: 'v1',
        target_binary_range: '1.0.0',
        description: 'hello',
        is_disabled: false,
        is_mandatory: true,
        rollout: 50,
        package_hash: '079349b652e866d83b1aec32089a9a3532ea7fe49470f791d453b87676fcb711',
        blob_url: expect.stringMatching(
          /^https:\/\/cp\.example\.com\/v0\.1\/public\/codepush\/packages\/[0-9A-Za-z]{32}$/,
        ),
        diff_package_map: {},
        released_by: 'ada@example.com',
        release_method: 'Upload',
        size: content.length,
        upload_time: Date.parse('2026-11-01T09:00:00Z'),
      },
    });
    expect((await request('GET', at('Staging', '/releases'))).body).toEqual([made.body]);
    expect((await request('GET', at('Staging'))).body.latest_release).toEqual(made.body);
    const file = await app.call('GET', new URL(made.body.blob_url).pathname);
    expect([file.statusCode, file.rawPayload.equals(content)]).toEqual([200, true]);
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(content.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'accept-ranges': 'bytes',
    });
    expect(file.headers).not.toHaveProperty('content-encoding');
    expect((await app.call('GET', '/v0.1/public/codepush/packages/nowhere')).statusCode).toBe(404);
  });

  test('of a single bundle have its checksum as their hash', async () => {
    const { release } = await withDeployments(dialect);
    expect((await release(Buffer.from('x\n'))).body.package_hash).toBe(
      '73cb3858a687a8494ca3323053016282f3dad39d42cf62ca4e79dda2aac7d9ac',
    );
  });

  test('from another server keep label, time and origin, which only managers can set, within limits', async () => {
    const { app, ref, token, upload, request } = await withDeployments(dialect);
    const grace = await app.addUser('grace');
    await app.addMember(ref, grace, 'developer');
    const developer = await app.userToken(grace);
    const time = Date.parse('2024-03-02T01:00:00Z');
    const create = async (content: string, imported: object, by = token) => {
      const id = await upload(createBundle(content));
      const body = { release_upload: { id }, target_binary_version: '1.0.0', imported };
      const response = await app.call('POST', at('Staging', '/releases'), { token: by, body });
      return { status: response.statusCode, body: response.statusCode === 201 ? response.json() : response.body };
    };
    const origin = {
      release_method: 'Promote',
      original_label: 'v3',
      original_deployment: 'Beta',
      released_by: 'nora',
    };
    const made = await create('one', { label: 'v7', upload_time: time, ...origin });
    expect(made).toMatchObject({ status: 201, body: { label: 'v7', upload_time: time, ...origin } });
    const failing = async (...call: Parameters<typeof create>) => {
      const { status, body } = await create(...call);
      return [status, body];
    };
    const later = { label: 'v8', upload_time: time };
    expect(await failing('two', { ...later, upload_time: app.deps.clock.now() + 1000 })).toEqual([
      400,
      expect.stringContaining('is in the future'),
    ]);
    expect(await failing('three', { ...later, upload_time: 1 })).toEqual([
      400,
      expect.stringContaining('is before 2008'),
    ]);
    expect(await failing('four', { ...later, label: 'v7' })).toEqual([
      409,
      expect.stringContaining('up to v7 were used'),
    ]);
    expect(await failing('five', later, developer)).toEqual([403, expect.stringContaining('manager permission')]);
    expect((await request('GET', at('Staging', '/releases'))).body).toEqual([made.body]);
  });

  test('have labels that are never reused', async () => {
    const { request, release, actions } = await withDeployments(dialect);
    await release('one');
    await release('two');
    expect(await request('DELETE', at('Staging', '/releases'))).toEqual({ status: 204, body: '' });
    expect((await request('GET', at('Staging', '/releases'))).body).toEqual([]);
    expect((await release('one')).body.label).toBe('v3');
    expect(await actions()).toContain('deployment.clear');
  });

  test('of the same upload are created once, even by concurrent requests', async () => {
    const { request, upload, releaseUpload } = await withDeployments(dialect);
    const id = await upload(createBundle('one'));
    const all = await Promise.all([1, 2, 3].map(() => releaseUpload(id)));
    expect(all.map(({ status, body }) => [status, body.label])).toEqual(Array(3).fill([201, 'v1']));
    expect((await releaseUpload(id)).body.label).toBe('v1');
    expect((await request('GET', at('Staging', '/releases'))).body).toHaveLength(1);
    expect(await releaseUpload(id, 'Production')).toMatchObject({ status: 409 });
  });

  test('read an upload once, even if they are refused repeatedly', async () => {
    const { app, release, upload, releaseUpload } = await withDeployments(dialect);
    await release('one');
    const id = await upload(createBundle('one'));
    const opened = vi.spyOn(app.deps.blobs, 'get');
    const responses = await Promise.all([1, 2, 3].map(() => releaseUpload(id)));
    responses.push(await releaseUpload(id));
    expect(responses.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    expect(opened).toHaveBeenCalledTimes(1);
  });

  test('of two concurrent uploads are both created, one after the other', async () => {
    const { app, upload, releaseUpload } = await withDeployments(dialect);
    const [one, two] = [await upload(createBundle('one')), await upload(createBundle('two'))];
    const released = await atOnce(app, [() => releaseUpload(one), () => releaseUpload(two)]);
    expect(released.map(({ status, body }) => [status, body.label])).toEqual([
      [201, 'v1'],
      [201, 'v2'],
    ]);
  });

  test('are refused if the same package is current for the same binaries', async () => {
    const { release } = await withDeployments(dialect);
    await release('one');
    const duplicate = {
      status: 409,
      body: 'Nothing was released: the package is identical to v1, the current release of "Staging" for these binaries.',
    };
    expect(await release('one')).toEqual(duplicate);
    expect(await release('one', 'Staging', { target_binary_version: '2.0.0' })).toMatchObject({ status: 201 });
    expect(await release('one', 'Staging', { target_binary_version: '1.0' })).toEqual(duplicate);
    expect(await release('one', 'Staging', { target_binary_version: '^1.0.0' })).toMatchObject({ status: 201 });
    expect(await release('one', 'Staging', { target_binary_version: '^1.0.0' })).toMatchObject({ status: 409 });
    expect(await release('two')).toMatchObject({ status: 201 });
    expect(await release('one')).toMatchObject({ status: 201 });
  });

  test('wait until a rollout is complete, disabled or rolled back', async () => {
    const { request, release } = await withDeployments(dialect);
    await release('one', 'Staging', { rollout: 20 });
    const refused = await release('two');
    expect(refused).toMatchObject({
      status: 409,
      body: expect.stringMatching(/^Can't release to "Staging": the rollout of its newest release v1 is at 20%\./),
    });
    expect((await request('POST', at('Staging', '/promote_release/Production'), {})).body.rollout).toBe(100);
    await request('PATCH', at('Staging', '/releases/v1'), { rollout: 100 });
    expect((await release('two', 'Staging', { rollout: 20 })).status).toBe(201);
    await request('PATCH', at('Staging', '/releases/v2'), { is_disabled: true });
    expect((await release('three', 'Staging', { rollout: 20 })).status).toBe(201);
    expect(await request('POST', at('Staging', '/rollback_release'), {})).toMatchObject({
      status: 201,
      body: { label: 'v4', rollout: 100 },
    });
  });

  test.each([
    [{ target_binary_version: 'latest' }, /"latest" is not a version or a range/],
    [{ target_binary_version: '' }, /target_binary_version/],
    [{ rollout: 0 }, /rollout/],
    [{ rollout: 101 }, /rollout/],
    [{ rollout: 12.5 }, /rollout/],
    [{ description: 'x'.repeat(10_001) }, /description/],
    [{ release_upload: { id: 'no-uuid' } }, /id/],
  ])('are refused with %j', async (options, message) => {
    const { release } = await withDeployments(dialect);
    expect(await release('one', 'Staging', options)).toMatchObject({
      status: 400,
      body: expect.stringMatching(message),
    });
  });

  test('are refused for uploads that are missing, unfinished, of another app, or not a package', async () => {
    const { app, ada, request, token, upload, releaseUpload, release } = await withDeployments(dialect);
    expect(await releaseUpload(randomUUID())).toMatchObject({ status: 404 });
    const { id } = (await request('POST', at('Staging', '/uploads'))).body;
    expect(await releaseUpload(id)).toEqual({
      status: 400,
      body: 'The upload is not finished: parts of the file are missing. Send them first.',
    });
    await app.addApp(ada, 'sextant');
    const theirs = '/v0.1/apps/ada/sextant/deployments';
    await app.call('POST', theirs, { token, body: { name: 'Staging' } });
    const body = { release_upload: { id: await upload(createBundle('one')) }, target_binary_version: '1.0.0' };
    expect((await app.call('POST', `${theirs}/Staging/releases`, { token, body })).statusCode).toBe(404);
    const link = createZip([{ path: 'CodePush/a', content: '/etc/passwd', mode: 0o120777 }]);
    expect(await release(link)).toEqual({
      status: 400,
      body: '"CodePush/a" is neither a file nor a folder. Remove symbolic links from the archive.',
    });
    expect((await request('GET', at('Staging', '/releases'))).body).toEqual([]);
  });

  test('are retained up to the number of a setting', async () => {
    const { request, release } = await withDeployments(dialect, { codepushHistory: 2 });
    for (const text of ['one', 'two', 'three']) await release(text);
    const history = (await request('GET', at('Staging', '/releases'))).body as { label: string }[];
    expect(history.map(({ label }) => label)).toEqual(['v2', 'v3']);
  });

  describe('can be promoted', () => {
    test('unchanged except for the rollout, or with other properties', async () => {
      const { request, release, actions } = await withDeployments(dialect);
      await release('one', 'Staging', { description: 'first', mandatory: true });
      const { body: second } = await release('two', 'Staging', { description: 'second', rollout: 30 });
      const promoted = await request('POST', at('Staging', '/promote_release/Production'), {});
      expect(promoted).toEqual({
        status: 200,
        body: {
          ...second,
          label: 'v1',
          rollout: 100,
          release_method: 'Promote',
          original_label: 'v2',
          original_deployment: 'Staging',
        },
      });
      const other = await request('POST', at('Staging', '/promote_release/Production'), {
        label: 'v1',
        description: 'other words',
        target_binary_range: '1.x',
        is_mandatory: false,
        is_disabled: true,
        rollout: 10,
      });
      expect(other.body).toMatchObject({
        label: 'v2',
        description: 'other words',
        target_binary_range: '1.x',
        is_mandatory: false,
        is_disabled: true,
        rollout: 10,
        original_label: 'v1',
      });
      expect(await actions()).toContain('deployment.promote');
    });

    test('with null for omitted options', async () => {
      const { request, release } = await withDeployments(dialect);
      await release('one', 'Staging', { description: 'first' });
      const nulls = { rollout: null, description: null, target_binary_range: null, label: null };
      const { status, body } = await request('POST', at('Staging', '/promote_release/Production'), {
        ...nulls,
        is_mandatory: false,
        is_disabled: false,
      });
      expect([status, body.rollout, body.description]).toEqual([200, 100, 'first']);
    });

    test('but not twice, not from an empty deployment or unknown label, and not during a rollout', async () => {
      const { request, release } = await withDeployments(dialect);
      const promote = (body: object = {}) => request('POST', at('Staging', '/promote_release/Production'), body);
      expect(await promote()).toEqual({ status: 404, body: 'The deployment "Staging" has no releases to promote.' });
      await release('one');
      expect(await promote({ label: 'v7' })).toEqual({
        status: 404,
        body: 'Release "v7" does not exist in the deployment "Staging".',
      });
      expect(await promote({ rollout: 5 })).toMatchObject({ status: 200 });
      await release('two');
      expect(await promote()).toMatchObject({ status: 409, body: expect.stringMatching(/is at 5%/) });
      await request('PATCH', at('Production', '/releases/v1'), { rollout: 100 });
      expect(await promote({ label: 'v1' })).toMatchObject({ status: 409, body: expect.stringMatching(/identical/) });
    });
  });

  describe('can be rolled back', () => {
    test('to the previous one, or to a label, repeatedly', async () => {
      const { request, release, actions } = await withDeployments(dialect);
      const { body: first } = await release('one', 'Staging', { description: 'first' });
      await release('two');
      const { status, body } = await request('POST', at('Staging', '/rollback_release'));
      expect([status, body]).toEqual([
        201,
        {
          ...first,
          label: 'v3',
          release_method: 'Rollback',
          original_label: 'v1',
        },
      ]);
      expect((await request('POST', at('Staging', '/rollback_release'), { label: 'v2' })).body).toMatchObject({
        label: 'v4',
        original_label: 'v2',
      });
      expect(await actions()).toContain('deployment.rollback');
    });

    test('but not without releases, to the newest, to an unknown label, or for other binaries', async () => {
      const { request, release } = await withDeployments(dialect);
      const back = (label?: string) => request('POST', at('Staging', '/rollback_release'), { label });
      expect(await back()).toEqual({ status: 404, body: 'The deployment "Staging" has no releases to roll back.' });
      await release('one');
      expect(await back()).toEqual({
        status: 404,
        body: `Can't roll back: the deployment "Staging" has no release before v1.`,
      });
      expect(await back('v1')).toMatchObject({ status: 409, body: expect.stringMatching(/^v1 is already the newest/) });
      expect(await back('v9')).toMatchObject({ status: 404 });
      await release('two', 'Staging', { target_binary_version: '2.0.0' });
      expect(await back()).toMatchObject({
        status: 409,
        body: expect.stringMatching(/^Can't roll back to v1: it targets 1\.0\.0, but/),
      });
    });
  });

  describe('can be changed', () => {
    test('in their properties; a request without a change changes nothing', async () => {
      const { request, release, actions } = await withDeployments(dialect);
      await release('one', 'Staging', { rollout: 25 });
      const patch = (body: object) => request('PATCH', at('Staging', '/releases/v1'), body);
      expect(await patch({ description: 'said', is_mandatory: true, target_binary_range: '1.x' })).toMatchObject({
        status: 200,
        body: { label: 'v1', description: 'said', is_mandatory: true, target_binary_range: '1.x', rollout: 25 },
      });
      const recorded = (await actions()).length;
      for (const same of [{}, { description: 'said' }, { rollout: 25 }, { rollout: null, is_mandatory: true }])
        expect(await patch(same)).toEqual({ status: 204, body: '' });
      expect(await actions()).toHaveLength(recorded);
    });

    test('to more devices, never to fewer, and not once complete', async () => {
      const { request, release } = await withDeployments(dialect);
      await release('one', 'Staging', { rollout: 25 });
      const patch = (rollout: number) => request('PATCH', at('Staging', '/releases/v1'), { rollout });
      expect(await patch(10)).toMatchObject({ status: 409, body: expect.stringMatching(/at 25% and can only grow/) });
      expect((await patch(60)).body.rollout).toBe(60);
      expect((await patch(100)).body.rollout).toBe(100);
      expect(await patch(50)).toMatchObject({ status: 409, body: expect.stringMatching(/is complete/) });
      expect(await patch(100)).toMatchObject({ status: 204 });
    });

    test('only if they exist, and only to valid values', async () => {
      const { request, release } = await withDeployments(dialect);
      await release('one');
      expect(await request('PATCH', at('Staging', '/releases/v2'), { is_mandatory: true })).toMatchObject({
        status: 404,
      });
      for (const bad of [{ target_binary_range: 'newest' }, { rollout: 0 }, { is_mandatory: 'yes' }])
        expect((await request('PATCH', at('Staging', '/releases/v1'), bad)).status).toBe(400);
    });
  });

  test('leave their packages for a day after deletion', async () => {
    const { app, request, release } = await withDeployments(dialect);
    const { body: retained } = await release('kept');
    await request('POST', at('Staging', '/promote_release/Production'), {});
    const { body: gone } = await release('gone');
    const status = async (url: string) => (await app.call('GET', new URL(url).pathname)).statusCode;
    await app.runJobs();
    const diff = (await request('GET', at('Staging', '/releases'))).body[1].diff_package_map;
    expect(Object.keys(diff)).toEqual([]);
    await request('DELETE', at('Staging'));
    const sweep = () => sweepPackages(systemCtx(app.deps));
    for (const wait of [2 * HOUR, 2 * HOUR]) {
      app.advance(wait);
      await sweep();
    }
    expect([await status(retained.blob_url), await status(gone.blob_url)]).toEqual([200, 200]);
    app.advance(DAY);
    await sweep();
    expect([await status(retained.blob_url), await status(gone.blob_url)]).toEqual([200, 404]);
    const blobs = await Array.fromAsync(app.deps.blobs.list());
    expect(blobs).toHaveLength(1);
  });
});
