import { useSyncExternalStore } from 'react';

let isOffline = false;
const listeners = new Set<() => void>();

function set(silent: boolean): void {
  if (silent === isOffline) return;
  isOffline = silent;
  for (const listener of listeners) listener();
}

/** The server answered, if only with a refusal. */
export const noteAnswer = (): void => set(false);

/** No answer came at all. */
export const noteOffline = (): void => set(true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Calls back each time that the server answers again after it did not. */
export const onServerBack = (callBack: () => void): void => {
  subscribe(() => {
    if (!isOffline) callBack();
  });
};

/** Whether the server did not answer the last time it was asked. */
export const useIsSilent = (): boolean => useSyncExternalStore(subscribe, () => isOffline);
