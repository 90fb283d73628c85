import { createHash } from 'node:crypto';
import { systemCtx } from '../../src/context.ts';
import { receiveFile } from '../../src/uploads/chunks.ts';
import { openUpload } from '../../src/uploads/uploads.ts';
import type { TestApp } from './app.ts';

/** A request body as received. */
function incoming(bytes: Buffer) {
  let received = 0;
  return {
    content: (async function* () {
      yield bytes;
      received = bytes.length;
    })(),
    get received() {
      return received;
    },
    sha256: () => createHash('sha256').update(bytes).digest('hex'),
  };
}

/** Sends a file to the URL of an upload. */
export async function sendFile({ deps }: Pick<TestApp, 'deps'>, url: string, content: Buffer | string): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const upload = await openUpload(systemCtx(deps), pathname.split('/').at(-1) ?? '', searchParams.get('token') ?? '');
  await receiveFile(systemCtx(deps), upload, incoming(Buffer.from(content)));
}

interface NewSymbols {
  token: string;
  path: string;
  symbol_type: string;
  file_name?: string;
  version?: string;
  build?: string;
}

/** Starts an upload through the API and sends its file. */
export async function sendSymbols(
  app: TestApp,
  { token, path, ...body }: NewSymbols,
  content: Buffer | string,
): Promise<string> {
  const created = (await app.call('POST', `${path}/symbol_uploads`, { token, body })).json();
  await sendFile(app, created.upload_url, content);
  return created.symbol_upload_id;
}

/** Also commits the upload, which jobs then process. */
export async function uploadSymbols(app: TestApp, symbols: NewSymbols, content: Buffer | string): Promise<string> {
  const id = await sendSymbols(app, symbols, content);
  const { token, path } = symbols;
  await app.call('PATCH', `${path}/symbol_uploads/${id}`, { token, body: { status: 'committed' } });
  return id;
}
