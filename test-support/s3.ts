import { mkdtempSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface S3Server {
  /** The settings for its only bucket. */
  options: {
    bucket: string;
    prefix: string;
    endpoint: string;
    region: string;
    pathStyle: boolean;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** The requests as `METHOD /path?query`. */
  requests: string[];
  stop(): Promise<void>;
}

/**
 * A real S3 server on the loopback, with one bucket. It computes the signature of a listing over a different path than
 * requested, so listings must skip the check.
 */
export async function startS3({ checksSignatures = true } = {}): Promise<S3Server> {
  const directory = mkdtempSync(path.join(tmpdir(), 'mooring-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'mooring' }],
    allowMismatchedSignatures: !checksSignatures,
  });
  const { store } = server;
  const putContent = store.putContent.bind(store);
  let drafts = 0;
  // It writes objects in place; real S3 services replace them atomically.
  store.putContent = async (file, content) => {
    drafts += 1;
    const draft = `${file}.${drafts}`;
    const written = await putContent(draft, content);
    await rename(draft, file);
    return written;
  };
  const { port } = (await server.run()) as AddressInfo;
  const requests: string[] = [];
  server.httpServer.on('request', ({ method, url }: IncomingMessage) => requests.push(`${method} ${url}`));
  return {
    options: {
      bucket: 'mooring',
      prefix: 'blobs/',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    requests,
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
