import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createS3Store } from './s3.ts';

/** A bucket that lists two keys per page instead of a thousand. A token with `+/=` must be sent back unchanged. */
async function startBucket(keys: string[]): Promise<string> {
  const server = createServer(({ url = '' }, response) => {
    const { searchParams } = new URL(url, 'http://localhost');
    const from = Number(searchParams.get('continuation-token')?.split('+/=')[1] ?? 0);
    const page = keys.slice(from, from + 2).map((key) => `<Contents><Key>blobs/${key}</Key></Contents>`);
    const next = from + 2 < keys.length ? `<NextContinuationToken>at+/=${from + 2}</NextContinuationToken>` : '';
    response.setHeader('content-type', 'application/xml');
    response.end(
      `<ListBucketResult>${page.join('')}<IsTruncated>${next !== ''}</IsTruncated>${next}</ListBucketResult>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => server.close(() => done())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.each([0, 1, 2, 3, 7])('lists all of %i keys, page by page', async (count) => {
  const keys = Array.from({ length: count }, (_, n) => `avatars/${n}`);
  const store = createS3Store({
    bucket: 'mooring',
    prefix: 'blobs/',
    endpoint: await startBucket(keys),
    region: 'us-east-1',
    pathStyle: true,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
  });
  expect(await Array.fromAsync(store.list())).toEqual(keys);
});
