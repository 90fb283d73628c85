import type { RouteObject } from 'react-router';
import { AppArea } from './pages/apps/app-area.tsx';
import { OrgArea } from './pages/orgs/org-area.tsx';
import { PersonalArea } from './parts/area.tsx';
import { Broken, BrokenPart } from './parts/broken.tsx';
import { NotFound } from './parts/not-found.tsx';
import { SignedIn } from './parts/signed-in.tsx';
import { type Area, administration, app, type Load, org, type Section, settings } from './sections.ts';

/** A page whose code is fetched when it is first opened. */
const page = (path: string, load: Load): RouteObject => ({
  path,
  lazy: async () => ({ Component: (await load()).default }),
});

const pagesOf = ({ bases, sections }: Area): RouteObject[] => bases.flatMap((base) => pagesAt(base, sections));

const pagesAt = (base: string, sections: Section[]): RouteObject[] =>
  sections.flatMap(({ path, load, below = [] }) => {
    const address = path ? `${base}/${path}` : base;
    return [page(address, load), ...below.map((each) => page(`${address}/${each.path}`, each.load))];
  });

export const routes: RouteObject[] = [
  {
    ErrorBoundary: Broken,
    HydrateFallback: () => null,
    children: [
      page('/setup', () => import('./pages/accounts/set-up.page.tsx')),
      page('/sign-in', () => import('./pages/accounts/sign-in.page.tsx')),
      page('/consent', () => import('./pages/identity/consent.page.tsx')),
      page('/sign-up', () => import('./pages/accounts/sign-up.page.tsx')),
      page('/forgot-password', () => import('./pages/accounts/forgot-password.page.tsx')),
      page('/reset-password', () => import('./pages/accounts/reset-password.page.tsx')),
      page('/invitations/:kind/:token', () => import('./pages/invitations/invitation.page.tsx')),
      {
        Component: SignedIn,
        children: [
          {
            ErrorBoundary: BrokenPart,
            children: [
              page('/', () => import('./pages/apps/home.page.tsx')),
              page('/create/app', () => import('./pages/apps/create.page.tsx')),
              page('/orgs', () => import('./pages/orgs/orgs.page.tsx')),
              page('/create/org', () => import('./pages/orgs/create.page.tsx')),
              page('/health', () => import('./pages/health/health.page.tsx')),
              page('/health/publish', () => import('./pages/health/publish.page.tsx')),
              page('/health/import', () => import('./pages/health/import.page.tsx')),
              page('/health/events/:trackingId', () => import('./pages/health/event.page.tsx')),
              page('/health/subscriptions', () => import('./pages/webhooks/subscriptions.page.tsx')),
              page('/health/subscriptions/:subscription', () => import('./pages/webhooks/subscription.page.tsx')),
              page(
                '/health/subscriptions/:subscription/webhooks/:webhook',
                () => import('./pages/webhooks/webhook.page.tsx'),
              ),
              page('/cli-login', () => import('./pages/tokens/cli-login.page.tsx')),
              { Component: AppArea, children: pagesOf(app) },
              { Component: OrgArea, children: pagesOf(org) },
              { element: <PersonalArea area={settings} />, children: pagesOf(settings) },
              { element: <PersonalArea area={administration} />, children: pagesOf(administration) },
            ],
          },
        ],
      },
      { path: '*', Component: NotFound },
    ],
  },
];
