import {
  type EndpointInput,
  type EndpointOutput,
  missingSymbolGroups_list,
  symbols_getLocation,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
  symbolUploads_complete,
  symbolUploads_create,
  symbolUploads_list,
} from '@mooring/contract';
import { useQuery } from '@tanstack/react-query';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

export type Symbols = EndpointOutput<typeof symbols_list>[number];
export type SymbolUpload = EndpointOutput<typeof symbolUploads_list>[number];
type Group = EndpointOutput<typeof missingSymbolGroups_list>['groups'][number];

/** Symbols that reports of one version and build need. */
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
const POLL_INTERVAL_MS = 10_000;

export const useSymbols = (params: AppRef) =>
  useRead([...symbolsKey(params), 'list'], () => call(symbols_list, { params }));

/** Polls, because the user waits until the server has processed the upload. */
export const useSymbolUploads = (params: AppRef) =>
  useQuery({
    queryKey: [...symbolsKey(params), 'uploads'],
    queryFn: () => call(symbolUploads_list, { params, query: { top: 100 } }),
    refetchInterval: POLL_INTERVAL_MS,
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

/** Opens a temporary download URL. */
export const useDownload = (params: AppRef) =>
  useChange(async (symbol_id: string) => {
    const { uri } = await call(symbols_getLocation, { params: { ...params, symbol_id } });
    window.location.assign(uri);
  });

interface SentSymbols {
  file: File;
  kind: EndpointInput<typeof symbolUploads_create>['body']['symbol_type'];
  version?: string;
  build?: string;
  /** Receives the progress, from 0 to 1. */
  onProgress: (sent: number) => void;
}

/** Reports upload progress, which `fetch` cannot do. */
const putFile = (url: string, file: File, onProgress: (sent: number) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PUT', url);
    request.setRequestHeader('x-ms-blob-type', 'BlockBlob');
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(new Error("Can't reach the server."));
    request.onload = () =>
      request.status < 300
        ? resolve()
        : reject(new Error(`The server responded with ${request.status} ${request.responseText.slice(0, 300)}`));
    request.send(file);
  });

/** Starts an upload, sends the file and commits it. */
export const useSymbolUpload = (params: AppRef) =>
  useChange(async ({ file, kind, version, build, onProgress }: SentSymbols) => {
    const ofVersion = version === undefined || build === undefined ? {} : { version, build };
    const { symbol_upload_id, upload_url } = await call(symbolUploads_create, {
      params,
      body: { symbol_type: kind, file_name: file.name, ...ofVersion },
    });
    const ofUpload = { ...params, symbol_upload_id };
    // Sends the file to the console's own origin, which may differ from the public URL.
    const { pathname, search } = new URL(upload_url);
    try {
      await putFile(pathname + search, file, onProgress);
    } catch (error) {
      await call(symbolUploads_complete, { params: ofUpload, body: { status: 'aborted' } });
      throw error;
    }
    await call(symbolUploads_complete, { params: ofUpload, body: { status: 'committed' } });
  }, symbolsKey(params));
