import type { RouteObject } from 'react-router';
import { type Area, entriesOf, type Load, type Section } from './areas/area.ts';
import { administration, app, health, home, org, settings } from './areas/index.ts';
import { AppArea } from './pages/apps/app-area.tsx';
import { OrgArea } from './pages/orgs/org-area.tsx';
import { AreaPages } from './parts/area.tsx';
import type { RouteHandle } from './parts/current-page.ts';
import { NotFound } from './parts/not-found.tsx';
import { LazyPage } from './parts/pages.tsx';
import { type PageName, paths } from './paths.ts';

/** The owner of an app is of one of two kinds, and so is its address. */
const patternsOf = (path: string): string[] =>
  path.includes(':owners') ? ['users', 'orgs'].map((owners) => path.replace(':owners', owners)) : [path];

const page = (name: PageName, load: Load, handle: RouteHandle = {}): RouteObject[] =>
  patternsOf(paths[name]).map((path) => ({
    path,
    handle: { ...handle, load } satisfies RouteHandle,
    element: <LazyPage load={load} />,
  }));

const pagesOfSection = (section: Section): RouteObject[] =>
  entriesOf(section).flatMap((entry) => {
    if (!entry.load) return [];
    const handle = { section, entry };
    return [
      ...page(entry.page, entry.load, handle),
      ...(entry.below ?? []).flatMap((one) => page(one.page, one.load, { ...handle, isBelow: true })),
    ];
  });

const pagesOf = ({ groups, others = [] }: Area): RouteObject[] => [
  ...groups.flatMap(({ sections }) => sections.flatMap(pagesOfSection)),
  ...others.flatMap((one) => page(one.page, one.load)),
];

const area = (found: Area, Component = AreaPages): RouteObject => ({
  Component,
  handle: { area: found } satisfies RouteHandle,
  children: pagesOf(found),
});

const loadFrame: Load = () => import('./parts/signed-in.tsx');

export const routes: RouteObject[] = [
  ...page('setUp', () => import('./pages/accounts/set-up.page.tsx')),
  ...page('signIn', () => import('./pages/accounts/sign-in.page.tsx')),
  ...page('consent', () => import('./pages/identity/consent.page.tsx')),
  ...page('signUp', () => import('./pages/accounts/sign-up.page.tsx')),
  ...page('forgotPassword', () => import('./pages/accounts/forgot-password.page.tsx')),
  ...page('resetPassword', () => import('./pages/accounts/reset-password.page.tsx')),
  ...page('invitation', () => import('./pages/invitations/invitation.page.tsx')),
  {
    // Whoever signs in does not wait for it.
    handle: { load: loadFrame } satisfies RouteHandle,
    element: <LazyPage load={loadFrame} />,
    children: [area(home), area(app, AppArea), area(org, OrgArea), area(health), area(administration), area(settings)],
  },
  { path: '*', Component: NotFound },
];
