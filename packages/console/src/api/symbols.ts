import {
  missingSymbolGroups_list,
  type OutputOf,
  symbols_getLocation,
  symbols_ignore,
  symbols_list,
  symbols_unignore,
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
