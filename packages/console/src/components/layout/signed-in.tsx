import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { type User, useSignedInUser } from '../../api/account/account.ts';
import { useIsSilent } from '../../api/connection.ts';
import { type CurrentPage, CurrentPageContext } from '../../context/current-page.ts';
import { CurrentUserContext } from '../../context/current-user.ts';
import { useFindCurrentPage } from '../../context/find-current-page.ts';
import { appPath, pathTo } from '../../paths.ts';
import { signInPath } from '../../routing/next-path.ts';
import { recordVisit } from '../../routing/recent-visits.ts';
import { ErrorBoundary } from '../feedback/error-boundary.tsx';
import { LoadFailure } from '../feedback/load-failure.tsx';
import { OfflineBanner } from '../feedback/offline-banner.tsx';
import { LoadingSkeleton, QueryBoundary } from '../feedback/query-boundary.tsx';
import { Sidebar } from './sidebar.tsx';
import classes from './signed-in.module.css';
import { BareTopBar, TopBar } from './top-bar.tsx';

const Confirmation = lazy(() => import('../../pages/sign-in/confirmation.tsx'));
const DropAnywhere = lazy(() => import('../../pages/drop/drop-anywhere.tsx'));

/** Redirects signed-out users to the sign-in page. */
export default function SignedIn() {
  const isOffline = useIsSilent();
  const query = useSignedInUser(isOffline);
  const location = useLocation();
  const wasSignedIn = useRef(false);
  if (query.data) wasSignedIn.current = true;
  if (query.data === null)
    return <Navigate to={signInPath(location, wasSignedIn.current ? 'signed_out' : undefined)} replace />;
  if (query.data) return <Frame user={query.data} isOffline={isOffline} />;
  return (
    <>
      <BareTopBar />
      <main className={classes.main}>
        <QueryBoundary query={query}>{() => null}</QueryBoundary>
      </main>
    </>
  );
}

/** Frame of every page: top bar and sidebar. */
function Frame({ user, isOffline }: { user: User; isOffline: boolean }) {
  const current = useFindCurrentPage(user);
  const main = useFocusOnNewPage(useLocation().pathname);
  useNoteVisit(user, current);
  const isFileNear = useFileDrag();
  return (
    <CurrentUserContext value={user}>
      <CurrentPageContext value={current}>
        <a href="#main" className={classes.skip}>
          Skip to content
        </a>
        <TopBar />
        <div className={classes.body}>
          <Sidebar />
          <div className={classes.content}>
            <Suspense>
              <Confirmation />
            </Suspense>
            {isOffline && <OfflineBanner />}
            <main id="main" ref={main} tabIndex={-1} className={classes.main}>
              <ErrorBoundary fallback={LoadFailure}>
                <Suspense fallback={<LoadingSkeleton />}>
                  <Outlet />
                </Suspense>
              </ErrorBoundary>
            </main>
          </div>
        </div>
        {isFileNear && (
          <Suspense>
            <DropAnywhere />
          </Suspense>
        )}
      </CurrentPageContext>
    </CurrentUserContext>
  );
}

/** True once a file is dragged over the page, which loads what recognizes it. A missed drop must not leave the page. */
function useFileDrag(): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    const accept = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setNear(true);
    };
    // Properties, because a new frame replaces them without clean-up, which every first visit would load.
    window.ondragenter = accept;
    window.ondragover = accept;
    window.ondrop = accept;
  }, []);
  return isNear;
}

/** Recent visits, which the command palette shows first. */
function useNoteVisit(user: User, { app, org }: CurrentPage): void {
  useEffect(() => {
    if (app)
      recordVisit(user.id, {
        to: appPath(app),
        label: app.display_name,
        detail: `${app.owner.name}/${app.name} · ${app.os}`,
      });
    else if (org)
      recordVisit(user.id, { to: pathTo('org', { org: org.name }), label: org.display_name, detail: 'Organization' });
  }, [user.id, app, org]);
}

/** Moves the focus to the new page, as a full page load would. */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // Keeps the focus if the page has focused one of its fields.
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}
