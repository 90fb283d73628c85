import { useSyncExternalStore } from 'react';

let isOffline = false;
const listeners = new Set<() => void>();

function set(silent: boolean): void {
  if (silent === isOffline) return;
  isOffline = silent;
  for (const listener of listeners) listener();
}

/** An error response counts: the server is reachable. */
export const noteOnline = (): void => set(false);

/** No response at all. */
export const noteOffline = (): void => set(true);

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Calls back whenever the server becomes reachable again. */
export const onServerBack = (callBack: () => void): void => {
  subscribe(() => {
    if (!isOffline) callBack();
  });
};

/** True if the last request got no response. */
export const useIsSilent = (): boolean => useSyncExternalStore(subscribe, () => isOffline);
