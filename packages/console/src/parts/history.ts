import { createPath, type Location, type Navigator, parsePath, type To } from 'react-router';

/** Holds a step to another page back, and goes on with it if that is wanted after all. */
export type Guard = (goOn: () => void) => void;

interface Kept {
  /** How many entries came before, so that a step back can be taken back. */
  at: number;
  key: string;
}

const keptOf = (state: unknown): Kept => ({ at: 0, key: 'default', ...(state as Partial<Kept> | null) });

function read(): Location {
  const { pathname, search, hash } = window.location;
  return { pathname, search, hash, state: null, key: keptOf(window.history.state).key, mask: undefined };
}

const newKey = (): string => Math.random().toString(36).slice(2, 10);

/** The entries of the browser's history, as far as they are pages of the console. */
function createHistory() {
  let { at } = keptOf(window.history.state);
  let here = read();
  let guard: Guard | undefined;
  let ownStep: 'none' | 'back' | 'allowed' = 'none';
  const listeners = new Set<() => void>();

  const show = () => {
    here = read();
    for (const tell of listeners) tell();
  };
  const write = (step: 'pushState' | 'replaceState', to: To) => {
    const next = typeof to === 'string' ? parsePath(to) : to;
    const go = () => {
      if (step === 'pushState') at += 1;
      window.history[step](
        { at, key: newKey() } satisfies Kept,
        '',
        createPath({ ...next, pathname: next.pathname || here.pathname }),
      );
      show();
    };
    if (guard && (next.pathname || here.pathname) !== here.pathname) guard(go);
    else go();
  };
  const stepped = () => {
    const delta = keptOf(window.history.state).at - at;
    const isHeld = guard !== undefined && delta !== 0 && window.location.pathname !== here.pathname;
    // The address has changed already: it is changed back, which is told here again, and then asked.
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
  window.history.replaceState({ ...keptOf(window.history.state), at } satisfies Kept, '');
  window.addEventListener('popstate', stepped);

  return {
    read: () => here,
    subscribe: (tell: () => void) => {
      listeners.add(tell);
      return () => void listeners.delete(tell);
    },
    /** As long as what is returned was not called. */
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
