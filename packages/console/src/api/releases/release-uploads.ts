import { releaseUploads_get, releaseUploads_put, releaseUploads_update } from '@mooring/contract';
import { useSyncExternalStore } from 'react';
import { newGuid } from '../../components/forms/new-guid.ts';
import type { AppRef } from '../apps.ts';
import { call, queries } from '../client.ts';
import { isRetryable, MAX_WAIT_MS, pause, type SendingProgress, uploadInChunks } from '../file-chunks.ts';
import { releasesKey } from './releases.ts';

/** Persisted, because a page reload loses the file but not the upload. */
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
  /** Started before a page reload; waits for the file. */
  | { kind: 'stopped' }
  | { kind: 'reading' }
  | { kind: 'ready'; releaseId: number }
  /** The server rejected the package, for this reason. */
  | { kind: 'unreadable'; reason: string }
  | { kind: 'failed'; error: unknown };

export interface ReleaseUpload extends BegunUpload {
  state: UploadState;
}

const POLL_INTERVAL_MS = 500;

const getStorageKey = ({ owner_name, app_name }: AppRef): string => `mooring-upload-${owner_name}/${app_name}`;
const uploads = new Map<string, ReleaseUpload>();
const running = new Map<string, AbortController>();
const listeners = new Set<() => void>();

// A page reload loses the browser's access to the file.
window.addEventListener('beforeunload', (event) => {
  if ([...uploads.values()].some(({ state }) => state.kind === 'sending')) event.preventDefault();
});

function set(appRef: AppRef, upload: ReleaseUpload | undefined): void {
  const key = getStorageKey(appRef);
  if (upload) uploads.set(key, upload);
  else uploads.delete(key);
  for (const notify of listeners) notify();
}

function remember(appRef: AppRef, upload: BegunUpload | undefined): void {
  try {
    if (upload) localStorage.setItem(getStorageKey(appRef), JSON.stringify(upload));
    else localStorage.removeItem(getStorageKey(appRef));
  } catch {
    // Without storage, an upload restarts after a page reload.
  }
}

const isBegun = (value: unknown): value is BegunUpload =>
  typeof value === 'object' && value !== null && 'id' in value && 'fileName' in value && 'size' in value;

function recall(appRef: AppRef): BegunUpload | undefined {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(getStorageKey(appRef)) ?? 'null');
    return isBegun(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function read(appRef: AppRef): ReleaseUpload | undefined {
  const key = getStorageKey(appRef);
  const existing = uploads.get(key);
  if (existing) return existing;
  const begun = recall(appRef);
  if (!begun) return undefined;
  const upload: ReleaseUpload = { ...begun, state: { kind: 'stopped' } };
  uploads.set(key, upload);
  void resumeReading(appRef, begun);
  return upload;
}

/** The whole file may have arrived before the page reload. */
async function resumeReading(appRef: AppRef, begun: BegunUpload): Promise<void> {
  const params = { ...appRef, upload_id: begun.id };
  const current = await call(releaseUploads_get, { params }).catch((error: unknown) =>
    isRetryable(error) ? undefined : { upload_status: 'error' as const },
  );
  if (!current || current.upload_status === 'uploadStarted' || running.has(getStorageKey(appRef))) return;
  if (current.upload_status !== 'uploadFinished') return discardUpload(appRef);
  const { signal, show } = run(appRef, begun);
  await untilRead(appRef, begun, { signal, show }).catch((error: unknown) => show({ kind: 'failed', error }));
}

/** One upload per app: a new one cancels the running one. */
function run(appRef: AppRef, upload: BegunUpload): Sending {
  const controller = new AbortController();
  running.get(getStorageKey(appRef))?.abort();
  running.set(getStorageKey(appRef), controller);
  const { signal } = controller;
  return { signal, show: (state) => signal.aborted || set(appRef, { ...upload, state }) };
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The upload of an app, which continues on other pages. */
export const useReleaseUpload = (appRef: AppRef): ReleaseUpload | undefined =>
  useSyncExternalStore(subscribe, () => read(appRef));

const isSame = (begun: BegunUpload, file: File): boolean =>
  begun.fileName === file.name && begun.size === file.size && begun.modified === file.lastModified;

/** Uploads a file in chunks, and resumes a stopped upload of the same file. */
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
      // A rejected upload starts from the beginning.
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
  return uploadInChunks(file, {
    signal,
    put: (chunk) => call(releaseUploads_put, { params, query, signal, ...chunk }),
    onProgress: (progress) => show({ kind: 'sending', ...progress }),
  });
}

async function untilRead(params: AppRef, { id }: BegunUpload, { signal, show }: Sending): Promise<void> {
  show({ kind: 'reading' });
  for (let failures = 0; !signal.aborted; ) {
    try {
      const upload = await call(releaseUploads_get, { params: { ...params, upload_id: id }, signal });
      const { upload_status, release_distinct_id, error_details: reason = "Couldn't read the package." } = upload;
      if (upload_status === 'error' || release_distinct_id !== undefined) remember(params, undefined);
      if (upload_status === 'error') return void show({ kind: 'unreadable', reason });
      if (release_distinct_id !== undefined) {
        void queries.invalidateQueries({ queryKey: releasesKey(params) });
        return void show({ kind: 'ready', releaseId: release_distinct_id });
      }
      failures = 0;
    } catch (error) {
      if (!isRetryable(error)) throw error;
      failures += 1;
    }
    await pause(Math.min(MAX_WAIT_MS, POLL_INTERVAL_MS * 2 ** failures), signal);
  }
}

/** Cancels an upload, also on the server, which deletes its chunks. */
export function cancelUpload(appRef: AppRef): void {
  const upload = read(appRef);
  discardUpload(appRef);
  if (!upload || !['sending', 'stopped'].includes(upload.state.kind)) return;
  const params = { ...appRef, upload_id: upload.id };
  // If this fails, the server expires the upload within a day.
  void call(releaseUploads_update, { params, body: { upload_status: 'uploadCanceled' } }).catch(() => undefined);
}

export function discardUpload(appRef: AppRef): void {
  running.get(getStorageKey(appRef))?.abort();
  running.delete(getStorageKey(appRef));
  remember(appRef, undefined);
  set(appRef, undefined);
}
