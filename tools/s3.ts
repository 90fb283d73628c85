import { mkdtempSync, rmSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import S3rver from '@20minutes/s3rver';

export interface S3Server {
  /** How to reach its one bucket. */
  options: {
    bucket: string;
    prefix: string;
    endpoint: string;
    region: string;
    pathStyle: boolean;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** What it was asked, as `METHOD /path?query`. */
  asked: string[];
  stop(): Promise<void>;
}

/**
 * A real S3 server on the loopback, with one bucket. It computes the signature of a listing over another path than the
 * one that was asked for, so whoever lists must do without the check.
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
  // It writes objects in place; every S3 that people run replaces them whole.
  store.putContent = async (file, content) => {
    drafts += 1;
    const draft = `${file}.${drafts}`;
    const written = await putContent(draft, content);
    await rename(draft, file);
    return written;
  };
  const { port } = (await server.run()) as AddressInfo;
  const asked: string[] = [];
  server.httpServer.on('request', ({ method, url }: IncomingMessage) => asked.push(`${method} ${url}`));
  return {
    options: {
      bucket: 'mooring',
      prefix: 'blobs/',
      endpoint: `http://127.0.0.1:${port}`,
      region: 'us-east-1',
      pathStyle: true,
      credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    },
    asked,
    async stop() {
      await server.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
