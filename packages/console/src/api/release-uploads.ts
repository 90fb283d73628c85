import { releaseUploads_get, releaseUploads_put, releaseUploads_update } from '@mooring/contract';
import { useSyncExternalStore } from 'react';
import { newGuid } from '../parts/new-guid.ts';
import type { AppRef } from './apps.ts';
import { call, queries } from './client.ts';
import { LONGEST_WAIT, mayPass, pause, type SendingProgress, sendInParts } from './file-parts.ts';
import { releasesKey } from './releases.ts';

/** What is remembered of an upload, also after the page was loaded anew: browsers then have lost the file itself. */
export interface BegunUpload {
  id: string;
  fileName: string;
  size: number;
  modified: number;
  versions: Versions;
}

export interface Versions {
  build_version?: string;
  build_number?: string;
}

export type UploadState =
  | ({ kind: 'sending' } & SendingProgress)
  /** Begun before the page was loaded anew, and waiting for its file. */
  | { kind: 'stopped' }
  | { kind: 'reading' }
  | { kind: 'ready'; releaseId: number }
  /** It arrived, and is no package that can be given out: for what reason, in the server's words. */
  | { kind: 'unreadable'; reason: string }
  | { kind: 'failed'; error: unknown };

export interface ReleaseUpload extends BegunUpload {
  state: UploadState;
}

const ASK_MS = 500;

const keyOf = ({ owner_name, app_name }: AppRef): string => `mooring-upload-${owner_name}/${app_name}`;
const uploads = new Map<string, ReleaseUpload>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();

// A browser forgets the file with the page.
window.addEventListener('beforeunload', (event) => {
  if ([...uploads.values()].some(({ state }) => state.kind === 'sending')) event.preventDefault();
});

function set(appRef: AppRef, upload: ReleaseUpload | undefined): void {
  const key = keyOf(appRef);
  if (upload) uploads.set(key, upload);
  else uploads.delete(key);
  for (const tell of listeners) tell();
}

function remember(appRef: AppRef, upload: BegunUpload | undefined): void {
  try {
    if (upload) localStorage.setItem(keyOf(appRef), JSON.stringify(upload));
    else localStorage.removeItem(keyOf(appRef));
  } catch {
    // Without a storage an upload is sent again from its beginning after a reload.
  }
}

const isBegun = (value: unknown): value is BegunUpload =>
  typeof value === 'object' && value !== null && 'id' in value && 'fileName' in value && 'size' in value;

function recall(appRef: AppRef): BegunUpload | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(appRef)) ?? 'null');
    return isBegun(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function read(appRef: AppRef): ReleaseUpload | undefined {
  const key = keyOf(appRef);
  const known = uploads.get(key);
  if (known) return known;
  const begun = recall(appRef);
  if (!begun) return undefined;
  const upload: ReleaseUpload = { ...begun, state: { kind: 'stopped' } };
  uploads.set(key, upload);
  void goOnReading(appRef, begun);
  return upload;
}

/** All of it may have arrived before the page was loaded anew. */
async function goOnReading(appRef: AppRef, begun: BegunUpload): Promise<void> {
  const params = { ...appRef, upload_id: begun.id };
  const found = await call(releaseUploads_get, { params }).catch((error: unknown) =>
    mayPass(error) ? undefined : { upload_status: 'error' as const },
  );
  if (!found || found.upload_status === 'uploadStarted' || running.has(keyOf(appRef))) return;
  if (found.upload_status !== 'uploadFinished') return forgetUpload(appRef);
  const { signal, show } = run(appRef, begun);
  await untilRead(appRef, begun, { signal, show }).catch((error: unknown) => show({ kind: 'failed', error }));
}

/** One at a time for each app: another that still runs is left off. */
function run(appRef: AppRef, upload: BegunUpload): Sending {
  const controller = new AbortController();
  running.get(keyOf(appRef))?.abort();
  running.set(keyOf(appRef), controller);
  const { signal } = controller;
  return { signal, show: (state) => signal.aborted || set(appRef, { ...upload, state }) };
}

const subscribe = (tell: () => void): (() => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

/** The upload of an app, which goes on while other pages are open. */
export const useReleaseUpload = (appRef: AppRef): ReleaseUpload | undefined =>
  useSyncExternalStore(subscribe, () => read(appRef));

const isSame = (begun: BegunUpload, file: File): boolean =>
  begun.fileName === file.name && begun.size === file.size && begun.modified === file.lastModified;

/** Sends a file part by part; the same file as one whose upload stopped goes on where it was. */
export function startUpload(appRef: AppRef, file: File, versions: Versions): void {
  const before = recall(appRef);
  const upload: BegunUpload =
    before && isSame(before, file)
      ? before
      : {
          id: newGuid(),
          fileName: file.name,
          size: file.size,
          modified: file.lastModified,
          versions,
        };
  remember(appRef, upload);
  const sending = run(appRef, upload);
  void sendAll(appRef, upload, file, sending)
    .then(() => untilRead(appRef, upload, sending))
    .catch((error: unknown) => {
      if (sending.signal.aborted) return;
      // What was refused is begun anew.
      remember(appRef, undefined);
      sending.show({ kind: 'failed', error });
    });
}

interface Sending {
  signal: AbortSignal;
  show: (state: UploadState) => unknown;
}

function sendAll(
  params: AppRef,
  { id, fileName, versions }: BegunUpload,
  file: File,
  { signal, show }: Sending,
): Promise<void> {
  const query = { file_name: fileName, upload_id: id, ...versions };
  return sendInParts(file, {
    signal,
    put: (part) => call(releaseUploads_put, { params, query, signal, ...part }),
    onProgress: (progress) => show({ kind: 'sending', ...progress }),
  });
}

async function untilRead(params: AppRef, { id }: BegunUpload, { signal, show }: Sending): Promise<void> {
  show({ kind: 'reading' });
  for (let failures = 0; !signal.aborted; ) {
    try {
      const upload = await call(releaseUploads_get, { params: { ...params, upload_id: id }, signal });
      const { upload_status, release_distinct_id, error_details: reason = 'The package cannot be read.' } = upload;
      if (upload_status === 'error' || release_distinct_id !== undefined) remember(params, undefined);
      if (upload_status === 'error') return void show({ kind: 'unreadable', reason });
      if (release_distinct_id !== undefined) {
        void queries.invalidateQueries({ queryKey: releasesKey(params) });
        return void show({ kind: 'ready', releaseId: release_distinct_id });
      }
      failures = 0;
    } catch (error) {
      if (!mayPass(error)) throw error;
      failures += 1;
    }
    await pause(Math.min(LONGEST_WAIT, ASK_MS * 2 ** failures), signal);
  }
}

/** Ends an upload, also for the server, which throws away what came. */
export function cancelUpload(appRef: AppRef): void {
  const upload = read(appRef);
  forgetUpload(appRef);
  if (!upload || !['sending', 'stopped'].includes(upload.state.kind)) return;
  const params = { ...appRef, upload_id: upload.id };
  // One that cannot be told ends by itself within a day.
  void call(releaseUploads_update, { params, body: { upload_status: 'uploadCanceled' } }).catch(() => undefined);
}

export function forgetUpload(appRef: AppRef): void {
  running.get(keyOf(appRef))?.abort();
  running.delete(keyOf(appRef));
  remember(appRef, undefined);
  set(appRef, undefined);
}
