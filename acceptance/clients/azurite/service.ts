import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';

const here = import.meta.dirname;
const need = createRequire(path.join(here, 'package.json'));

/** The part of the client that the tests use. */
interface Container {
  listBlobsFlat(): AsyncIterable<{ name: string; properties: { contentType?: string } }>;
  getBlobClient(name: string): { downloadToBuffer(): Promise<Buffer> };
}
interface Client {
  BlobServiceClient: {
    fromConnectionString(text: string): { getContainerClient(name: string): Container };
  };
}

/** The account that every Azurite has, with its published key. */
const account = 'devstoreaccount1';
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** A blob service on this machine: in a folder, or in memory. */
export async function startAzurite(folder?: string) {
  const main = path.join(here, 'node_modules/azurite/dist/src/blob/main.js');
  const persistence = folder === undefined ? ['--inMemoryPersistence'] : ['--location', folder];
  const args = ['--blobPort', '0', ...persistence, '--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  const service = spawn(process.execPath, [main, ...args], { cwd: here, stdio: ['ignore', 'pipe', 'inherit'] });
  let url = '';
  for await (const line of createInterface(service.stdout)) {
    url = /listens on (http:\S+)/.exec(line)?.[1] ?? '';
    if (url) break;
  }
  if (!url) throw new Error('Azurite did not start.');
  service.stdout.resume();
  const connection = (with_ = key) =>
    `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${with_};BlobEndpoint=${url}/${account};`;
  return {
    connection,
    /** Limits its file size, like a full disk. */
    limitFiles: (most: number | 'unlimited') =>
      void execFileSync('prlimit', ['--pid', String(service.pid), `--fsize=${most}:`]),
    /** All blobs of a container by name, read with Microsoft's client. */
    async read(name: string): Promise<Record<string, { type: string | undefined; bytes: Buffer }>> {
      const { BlobServiceClient } = need('@azure/storage-blob') as Client;
      const container = BlobServiceClient.fromConnectionString(connection()).getContainerClient(name);
      const found: Record<string, { type: string | undefined; bytes: Buffer }> = {};
      for await (const { name: blob, properties } of container.listBlobsFlat()) {
        found[blob] = { type: properties.contentType, bytes: await container.getBlobClient(blob).downloadToBuffer() };
      }
      return found;
    },
    async stop() {
      service.kill();
      if (service.exitCode === null && service.signalCode === null) await once(service, 'exit');
    },
  };
}
