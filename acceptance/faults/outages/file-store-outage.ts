import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { startS3 } from '../../../test-support/s3.ts';
import { send } from '../../harness/http.ts';
import { startServer } from '../../harness/server.ts';
import { withInstallation } from '../installation.ts';
import { expectUnavailable, openWork, read, untilWorks, writeApp, writeAvatar } from './outage.ts';

/** A TCP proxy that can be cut and restored. */
export async function openWay(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const far = connect(port, '127.0.0.1');
    for (const each of [socket, far]) {
      sockets.add(each);
      each.on('close', () => sockets.delete(each)).on('error', () => undefined);
    }
    socket.pipe(far).pipe(socket);
  });
  const listen = async (at: number) => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const own = await listen(0);
  return {
    port: own,
    async cut() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
    restore: () => listen(own),
  };
}

/**
 * The blob store is down for a while: requests without files work, others explain the error, and all work afterwards.
 */
export const loseFiles = (): Promise<string> =>
  withInstallation('sqlite', async (installation) => {
    const s3 = await startS3();
    const { options } = s3;
    const way = await openWay(Number(new URL(options.endpoint).port));
    const store = `s3://${options.bucket}/blobs?endpoint=${encodeURIComponent(`http://127.0.0.1:${way.port}`)}&region=${options.region}`;
    const env = {
      MOORING_BLOB_STORE: store,
      MOORING_S3_ACCESS_KEY_ID: options.credentials.accessKeyId,
      MOORING_S3_SECRET_ACCESS_KEY: options.credentials.secretAccessKey,
    };
    const server = await startServer({ ...installation.settings, env });
    try {
      const work = await openWork(server);
      assert.ok((await writeAvatar(work)).status < 300);
      const { icon_url } = (await send('GET', `${server.httpUrl}/v0.1/apps/ada/compass`, { token: work.token })).json<{
        icon_url: string;
      }>();
      const address = server.httpUrl + new URL(icon_url, server.httpUrl).pathname;
      assert.equal((await send('GET', address)).status, 200);
      await way.cut();
      const message = await expectUnavailable(writeAvatar(work));
      const shown = await send('GET', address);
      assert.ok([200, 302, 503].includes(shown.status), `${shown.status} ${shown.text}`);
      for (const fine of [await read(work), await writeApp(work, 'app-meanwhile')])
        assert.ok(fine.status < 300, fine.text);
      await way.restore();
      const back = await untilWorks(() => writeAvatar(work));
      // The icon was replaced, so a job deletes its previous file.
      const isGone = async () => (await send('GET', address)).status === 404;
      for (let tries = 0; !(await isGone()); tries++) {
        assert.ok(tries < 600, 'The file of the replaced icon was not deleted.');
        await sleep(100);
      }
      return `the blob store was down: 503 for an upload ("${message}"), ${shown.status} for a file, and requests without files worked; uploads resumed ${back.toFixed(0)} ms after it was back`;
    } finally {
      await server.stop({ keepData: true });
      await way.cut().catch(() => undefined);
      await s3.stop();
    }
  });
