import { useLayoutEffect, useSyncExternalStore } from 'react';

let name: string | undefined;
const listeners = new Set<() => void>();

function set(next: string | undefined): void {
  name = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

/** Names the page for the breadcrumbs, which are outside of it. */
export const useNamePage = (next: string): void =>
  useLayoutEffect(() => {
    set(next);
    return () => set(undefined);
  }, [next]);

/** Undefined until the page is loaded. */
export const usePageName = (): string | undefined => useSyncExternalStore(subscribe, () => name);
