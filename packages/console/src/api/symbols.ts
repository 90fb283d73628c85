import {
  type InputOf,
  missingSymbolGroups_list,
  type OutputOf,
  symbols_getLocation,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
  symbolUploads_complete,
  symbolUploads_create,
  symbolUploads_list,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from './apps.ts';
import { call, useChange, useRead } from './client.ts';

export type Symbols = OutputOf<typeof symbols_list>[number];
export type SymbolUpload = OutputOf<typeof symbolUploads_list>[number];
type Group = OutputOf<typeof missingSymbolGroups_list>['groups'][number];

/** Symbols that reports of one version and build lack. */
export interface MissingSymbols {
  id: string;
  name: string;
  type: Group['missing_symbols'][number]['type'];
  status: Group['missing_symbols'][number]['status'];
  version: string;
  build: string;
  reports: number;
}

const symbolsKey = (app: AppRef) => [...appKey(app), 'symbols'];
const EVERY = 10_000;

export const useSymbols = (params: AppRef) =>
  useRead([...symbolsKey(params), 'list'], () => call(symbols_list, { params }));

/** Read again every few seconds: whoever looks waits until theirs are looked through. */
export const useSymbolUploads = (params: AppRef) =>
  useQuery({
    queryKey: [...symbolsKey(params), 'uploads'],
    queryFn: () => call(symbolUploads_list, { params, query: { top: 100 } }),
    refetchInterval: EVERY,
  });

export const useMissingSymbols = (params: AppRef) =>
  useRead([...symbolsKey(params), 'missing'], async (): Promise<MissingSymbols[]> => {
    const { groups } = await call(missingSymbolGroups_list, { params, query: { top: 1000 } });
    return groups.flatMap(({ app_ver, app_build, crash_count = 0, error_count = 0, missing_symbols }) =>
      missing_symbols
        .filter(({ status }) => status !== 'available')
        .map(({ symbol_id, name, type, status }) => ({
          id: symbol_id,
          name,
          type,
          status,
          version: app_ver,
          build: app_build,
          reports: crash_count + error_count,
        })),
    );
  });

export const useIgnoring = (params: AppRef) =>
  useChange(
    ({ id, isIgnored }: { id: string; isIgnored: boolean }) =>
      call(isIgnored ? symbols_ignore : symbols_unignore, { params: { ...params, symbol_id: id } }),
    symbolsKey(params),
  );

/** Opens the file, at an address that works for a while. */
export const useDownload = (params: AppRef) =>
  useChange(async (symbol_id: string) => {
    const { uri } = await call(symbols_getLocation, { params: { ...params, symbol_id } });
    window.location.assign(uri);
  });

interface SentSymbols {
  file: File;
  kind: InputOf<typeof symbolUploads_create>['body']['symbol_type'];
  version?: string;
  build?: string;
  /** Told how much of it has been sent, from 0 to 1. */
  onProgress: (sent: number) => void;
}

/** Sends a file and tells how far it is, which `fetch` cannot. */
const putFile = (url: string, file: File, onProgress: (sent: number) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('x-ms-blob-type', 'BlockBlob');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new Error('The server cannot be reached.'));
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new Error(`The server answered ${request.status} ${request.responseText.slice(0, 300)}`));
    request.send(file);
  });

/** Begins an upload, sends the file, and has it looked through. */
export const useSymbolUpload = (params: AppRef) =>
  useChange(async ({ file, kind, version, build, onProgress }: SentSymbols) => {
    const ofVersion = version === undefined || build === undefined ? {} : { version, build };
    const { symbol_upload_id, upload_url } = await call(symbolUploads_create, {
      params,
      body: { symbol_type: kind, file_name: file.name, ...ofVersion },
    });
    const ofUpload = { ...params, symbol_upload_id };
    // Where the console is reached is where the file goes, whatever the server calls itself.
    const { pathname, search } = new URL(upload_url);
    try {
      await putFile(pathname + search, file, onProgress);
    } catch (error) {
      await call(symbolUploads_complete, { params: ofUpload, body: { status: 'aborted' } });
      throw error;
    }
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'committed' } });
  }, symbolsKey(params));
