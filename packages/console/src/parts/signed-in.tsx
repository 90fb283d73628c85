import { Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { type User, useSignedInUser } from '../api/account.ts';
import { useIsSilent } from '../api/connection.ts';
import { appPath, pathTo } from '../paths.ts';
import { BrokenPart } from './broken.tsx';
import { Catch } from './catch.tsx';
import { type CurrentPage, CurrentPageContext } from './current-page.ts';
import { useFindCurrentPage } from './find-current-page.ts';
import { Loaded, Outline } from './loaded.tsx';
import { Me } from './me.ts';
import { signInPath } from './next-path.ts';
import { OfflineBanner } from './offline-banner.tsx';
import { noteVisit } from './recent.ts';
import { Sidebar } from './sidebar.tsx';
import classes from './signed-in.module.css';
import { BareTopBar, TopBar } from './top-bar.tsx';

/** For somebody who is signed in; sends everybody else to sign in. */
export default function SignedIn() {
  const isOffline = useIsSilent();
  const reading = useSignedInUser(isOffline);
  const location = useLocation();
  if (reading.data === null) return <Navigate to={signInPath(location)} replace />;
  if (reading.data) return <Frame user={reading.data} isOffline={isOffline} />;
  return (
    <>
      <BareTopBar />
      <main className={classes.main}>
        <Loaded reading={reading}>{() => null}</Loaded>
      </main>
    </>
  );
}

/** The frame of every page: a bar at the top, what belongs to the place at the side. */
function Frame({ user, isOffline }: { user: User; isOffline: boolean }) {
  const current = useFindCurrentPage(user);
  const main = useFocusOnNewPage(useLocation().pathname);
  useNoteVisit(user, current);
  return (
    <Me value={user}>
      <CurrentPageContext value={current}>
        <a href="#main" className={classes.skip}>
          Skip to the content
        </a>
        <TopBar />
        <div className={classes.body}>
          <Sidebar />
          <div className={classes.content}>
            {isOffline && <OfflineBanner />}
            <main id="main" ref={main} tabIndex={-1} className={classes.main}>
              <Catch fallback={BrokenPart}>
                <Suspense fallback={<Outline />}>
                  <Outlet />
                </Suspense>
              </Catch>
            </main>
          </div>
        </div>
      </CurrentPageContext>
    </Me>
  );
}

/** What the command palette offers before anything is typed. */
function useNoteVisit(user: User, { app, org }: CurrentPage): void {
  useEffect(() => {
    if (app)
      noteVisit(user.id, {
        to: appPath(app),
        label: app.display_name,
        detail: `${app.owner.name}/${app.name} · ${app.os}`,
      });
    else if (org)
      noteVisit(user.id, { to: pathTo('org', { org: org.name }), label: org.display_name, detail: 'Organization' });
  }, [user.id, app, org]);
}

/** Keyboards and screen readers continue at the new page, as they would after a real page load. */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLElement>(null);
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    // A page that has put the focus into one of its fields knows better.
    if (!main.current?.contains(document.activeElement)) main.current?.focus();
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}
