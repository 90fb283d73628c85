import type { RouteObject } from 'react-router';
import { type Area, getEntries, type Load, type Section } from './areas/area.ts';
import { administration, app, health, home, org, settings } from './areas/index.ts';
import { NotFound } from './components/feedback/not-found.tsx';
import { AreaPages } from './components/layout/area-pages.tsx';
import type { RouteHandle } from './context/current-page.ts';
import { AppArea } from './pages/apps/app-area.tsx';
import { OrgArea } from './pages/orgs/org-area.tsx';
import { type PageName, paths } from './paths.ts';
import { LazyPage } from './routing/router.tsx';

/** Apps belong to users or organizations, and have routes for both. */
const listPatterns = (path: string): string[] =>
  path.includes(':owners') ? ['users', 'orgs'].map((owners) => path.replace(':owners', owners)) : [path];

const page = (name: PageName, load: Load, handle: RouteHandle = {}): RouteObject[] =>
  listPatterns(paths[name]).map((path) => ({
    path,
    handle: { ...handle, load } satisfies RouteHandle,
    element: <LazyPage load={load} />,
  }));

const toSectionRoutes = (section: Section): RouteObject[] =>
  getEntries(section).flatMap((entry) => {
    if (!entry.load) return [];
    const handle = { section, entry };
    return [
      ...page(entry.page, entry.load, handle),
      ...(entry.below ?? []).flatMap((one) => page(one.page, one.load, { ...handle, isBelow: true })),
    ];
  });

const loadUnknown: Load = () => import('./components/feedback/unknown-page.tsx');

const toAreaRoutes = ({ groups, others = [], unknown }: Area): RouteObject[] => [
  ...groups.flatMap(({ sections }) => sections.flatMap(toSectionRoutes)),
  ...others.flatMap((one) => page(one.page, one.load)),
  ...(unknown ? page(unknown, loadUnknown) : []),
];

const area = (definition: Area, Component = AreaPages): RouteObject => ({
  Component,
  handle: { area: definition } satisfies RouteHandle,
  children: toAreaRoutes(definition),
});

const loadFrame: Load = () => import('./components/layout/signed-in.tsx');

export const routes: RouteObject[] = [
  ...page('setUp', () => import('./pages/accounts/set-up.page.tsx')),
  ...page('signIn', () => import('./pages/accounts/sign-in.page.tsx')),
  ...page('linkAccount', () => import('./pages/sign-in/link-account.page.tsx')),
  ...page('consent', () => import('./pages/identity/consent.page.tsx')),
  ...page('signUp', () => import('./pages/accounts/sign-up.page.tsx')),
  ...page('forgotPassword', () => import('./pages/accounts/forgot-password.page.tsx')),
  ...page('resetPassword', () => import('./pages/accounts/reset-password.page.tsx')),
  ...page('invitation', () => import('./pages/invitations/invitation.page.tsx')),
  {
    // Loaded separately, so that signing in doesn't wait for it.
    handle: { load: loadFrame } satisfies RouteHandle,
    element: <LazyPage load={loadFrame} />,
    children: [area(home), area(app, AppArea), area(org, OrgArea), area(health), area(administration), area(settings)],
  },
  { path: '*', Component: NotFound },
];
