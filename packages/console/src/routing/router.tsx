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
import type { RouteHandle } from '../context/current-page.ts';
import { browserHistory } from './history.ts';

/** Current location. Navigation to another page waits for its code; query changes apply immediately. */
export function Navigation({ children }: { children: ReactNode }) {
  const [location, setLocation] = useState(browserHistory.read);
  useLayoutEffect(() => {
    let shown = browserHistory.read();
    return browserHistory.subscribe(() => {
      const next = browserHistory.read();
      if (next.pathname === shown.pathname) setLocation(next);
      else startTransition(() => setLocation(next));
      if (next.pathname !== shown.pathname) dropFailedLoads();
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
const pageLoads = new Map<Load, Loading>();

/** Opening a page again retries a failed load. */
function dropFailedLoads(): void {
  for (const [load, { hasFailed }] of pageLoads) if (hasFailed) pageLoads.delete(load);
}

function fetchPage(load: Load): Loading {
  const existing = pageLoads.get(load);
  if (existing) return existing;
  const loading: Loading = load().then((module) => module.default);
  loading.then(
    (component) => {
      loading.component = component;
    },
    () => {
      loading.hasFailed = true;
    },
  );
  pageLoads.set(load, loading);
  return loading;
}

/** A page whose code loads when it is first opened. */
export function LazyPage({ load }: { load: Load }) {
  const loading = fetchPage(load);
  // React reveals suspended content after 300 ms at the earliest, so loaded code must not suspend.
  const Component = loading.component ?? use(loading);
  return <Component />;
}

const Handles = createContext<RouteHandle[]>([]);

/** Metadata of the open route and its parents. */
export const useHandles = (): RouteHandle[] => useContext(Handles);

/** Routes of a table. */
export function Pages({ routes }: { routes: RouteObject[] }) {
  const matches = matchRoutes(routes, useLocation()) ?? [];
  const handles = matches.map(({ route }): RouteHandle => route.handle ?? {});
  // Loads the frame and its page in parallel.
  for (const { load } of handles) if (load) void fetchPage(load);
  return (
    <Handles value={handles}>
      <Suspense>{useRoutes(routes)}</Suspense>
    </Handles>
  );
}
