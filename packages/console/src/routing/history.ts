import { createPath, type Location, type Navigator, parsePath, type To } from 'react-router';

/** Holds back a navigation until the user confirms it. */
export type Guard = (proceed: () => void) => void;

interface HistoryState {
  /** Position in the history, so that a step back can be reverted. */
  at: number;
  key: string;
}

const toHistoryState = (state: unknown): HistoryState => ({
  at: 0,
  key: 'default',
  ...(state as Partial<HistoryState> | null),
});

function read(): Location {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash, state: null, key: toHistoryState(window.history.state).key, mask: undefined };
}

const newKey = (): string => Math.random().toString(36).slice(2, 10);

/** History entries of the console. */
function createHistory() {
  let { at } = toHistoryState(window.history.state);
  let here = read();
  let guard: Guard | undefined;
  let ownStep: 'none' | 'back' | 'allowed' = 'none';
  const listeners = new Set<() => void>();

  const show = () => {
    here = read();
    for (const notify of listeners) notify();
  };
  const write = (step: 'pushState' | 'replaceState', to: To) => {
    const next = typeof to === 'string' ? parsePath(to) : to;
    const go = () => {
      if (step === 'pushState') at += 1;
      window.history[step](
        { at, key: newKey() } satisfies HistoryState,
        '',
        createPath({ ...next, pathname: next.pathname || here.pathname }),
      );
      show();
    };
    if (guard && (next.pathname || here.pathname) !== here.pathname) guard(go);
    else go();
  };
  const stepped = () => {
    const delta = toHistoryState(window.history.state).at - at;
    const isHeld = guard !== undefined && delta !== 0 && window.location.pathname !== here.pathname;
    // On a step back the URL has already changed: this restores it, which triggers another event, and then asks.
    if (ownStep === 'back') ownStep = 'none';
    else if (isHeld && ownStep !== 'allowed') {
      ownStep = 'back';
      window.history.go(-delta);
      guard?.(() => {
        ownStep = 'allowed';
        window.history.go(delta);
      });
    } else {
      ownStep = 'none';
      at += delta;
      show();
    }
  };
  window.history.replaceState({ ...toHistoryState(window.history.state), at } satisfies HistoryState, '');
  window.addEventListener('popstate', stepped);

  return {
    read: () => here,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Blocks until the returned function is called. */
    hold: (by: Guard) => {
      guard = by;
      return () => {
        if (guard === by) guard = undefined;
      };
    },
    navigator: {
      createHref: (to) => (typeof to === 'string' ? to : createPath(to)),
      go: (delta) => window.history.go(delta),
      push: (to) => write('pushState', to),
      replace: (to) => write('replaceState', to),
    } satisfies Navigator,
  };
}

export const browserHistory = createHistory();
