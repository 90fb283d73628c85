import {
  type ComponentType,
  createContext,
  type ReactNode,
  Suspense,
  startTransition,
  use,
  useContext,
  useLayoutEffect,
  useState,
} from 'react';
import { matchRoutes, type RouteObject, Router, useLocation, useRoutes } from 'react-router';
import type { Load } from '../areas/area.ts';
import type { RouteHandle } from './current-page.ts';
import { browserHistory } from './history.ts';

/** Where the reader is. A page is changed once the next one is there; a part of its address at once, as fields show it. */
export function Navigation({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(browserHistory.read);
  useLayoutEffect(() => {
    let shown = browserHistory.read();
    return browserHistory.subscribe(() => {
      const next = browserHistory.read();
      if (next.pathname === shown.pathname) setLocation(next);
      else startTransition(() => setLocation(next));
      if (next.pathname !== shown.pathname) forgetFailed();
      shown = next;
    });
  }, []);
  return (
    <Router location={location} navigator={browserHistory.navigator}>
      {children}
    </Router>
  );
}

type Loading = Promise<ComponentType> & { hasFailed?: boolean; component?: ComponentType };
const loaded = new Map<Load, Loading>();

/** What could not be fetched is tried again by whoever comes back. */
function forgetFailed(): void {
  for (const [load, { hasFailed }] of loaded) if (hasFailed) loaded.delete(load);
}

function fetchPage(load: Load): Loading {
  const known = loaded.get(load);
  if (known) return known;
  const loading: Loading = load().then((found) => found.default);
  loading.then(
    (component) => {
      loading.component = component;
    },
    () => {
      loading.hasFailed = true;
    },
  );
  loaded.set(load, loading);
  return loading;
}

/** A page whose code is fetched when it is first opened. */
export function LazyPage({ load }: { load: Load }) {
  const loading = fetchPage(load);
  // React shows what it once had to wait for 300 ms later at the earliest, so nothing is waited for that is there.
  const Component = loading.component ?? use(loading);
  return <Component />;
}

const Handles = createContext<RouteHandle[]>([]);

/** What the open page says of itself, and each that it lies in. */
export const useHandles = (): RouteHandle[] => useContext(Handles);

/** The pages of a table of routes. */
export function Pages({ routes }: { routes: RouteObject[] }) {
  const matches = matchRoutes(routes, useLocation()) ?? [];
  const handles = matches.map(({ route }): RouteHandle => route.handle ?? {});
  // The frame and the page in it are fetched at once, not one after the other.
  for (const { load } of handles) if (load) void fetchPage(load);
  return (
    <Handles value={handles}>
      <Suspense>{useRoutes(routes)}</Suspense>
    </Handles>
  );
}
