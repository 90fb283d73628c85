import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router';
import { Broken } from './parts/broken.tsx';
import { NotFound } from './parts/not-found.tsx';
import { Section } from './parts/section.tsx';
import { SignedIn } from './parts/signed-in.tsx';

type PageModule = Promise<{ default: ComponentType }>;

/** A page whose code is fetched when it is first opened. */
const page = (path: string, load: () => PageModule): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

const settings = [
  { to: '/settings/profile', label: 'Profile' },
  { to: '/settings/sessions', label: 'Sessions' },
  { to: '/settings/tokens', label: 'API tokens' },
  { to: '/settings/connections', label: 'Connections' },
];
const administration = [
  { to: '/admin/users', label: 'Users' },
  { to: '/admin/audit', label: 'Audit log' },
];

export const routes: RouteObject[] = [
  {
    ErrorBoundary: Broken,
    HydrateFallback: () => null,
    children: [
      page('/setup', () => import('./pages/accounts/set-up.page.tsx')),
      page('/sign-in', () => import('./pages/accounts/sign-in.page.tsx')),
      page('/consent', () => import('./pages/identity/consent.page.tsx')),
      page('/sign-up', () => import('./pages/accounts/sign-up.page.tsx')),
      {
        Component: SignedIn,
        children: [
          page('/', () => import('./pages/home/home.page.tsx')),
          page('/invitations/:kind/:token', () => import('./pages/invitations/invitation.page.tsx')),
          {
            element: <Section label="Settings" links={settings} />,
            children: [
              page('/settings/profile', () => import('./pages/accounts/profile.page.tsx')),
              page('/settings/sessions', () => import('./pages/accounts/sessions.page.tsx')),
              page('/settings/tokens', () => import('./pages/tokens/api-tokens.page.tsx')),
              page('/settings/connections', () => import('./pages/identity/connections.page.tsx')),
            ],
          },
          {
            element: <Section label="Administration" links={administration} />,
            children: [
              page('/admin/users', () => import('./pages/accounts/users.page.tsx')),
              page('/admin/audit', () => import('./pages/audit/audit.page.tsx')),
            ],
          },
        ],
      },
      { path: '*', Component: NotFound },
    ],
  },
];
