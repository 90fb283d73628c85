import { Container, Group } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { useSignedInUser } from '../api/account.ts';
import { useIsSilent } from '../api/connection.ts';
import { Loaded } from './loaded.tsx';
import { Logo } from './logo.tsx';
import { MainMenu, MainNav } from './main-nav.tsx';
import { Me } from './me.ts';
import { signInPath } from './next-path.ts';
import { OfflineBanner } from './offline-banner.tsx';
import classes from './signed-in.module.css';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page for somebody who is signed in; sends everybody else to sign in. */
export function SignedIn() {
  const isOffline = useIsSilent();
  const reading = useSignedInUser(isOffline);
  const location = useLocation();
  const main = useFocusOnNewPage(location.pathname);
  if (reading.data === null) return <Navigate to={signInPath(location)} replace />;
  const user = reading.data;
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Container size="xl" className={classes.bar}>
          <Group gap="xl" wrap="nowrap">
            <Group gap="xs" wrap="nowrap">
              {user && <MainMenu user={user} />}
              <Link to="/" className={classes.home} aria-label="Mooring, home">
                <Logo />
              </Link>
            </Group>
            {user && <MainNav user={user} />}
          </Group>
          {user && <UserMenu user={user} />}
        </Container>
      </header>
      {isOffline && user && <OfflineBanner />}
      <Container component="main" id="main" ref={main} tabIndex={-1} size="xl" py="lg" className={classes.main}>
        <Loaded reading={reading}>
          {(found) => (
            <Me value={found ?? undefined}>
              <Outlet />
            </Me>
          )}
        </Loaded>
      </Container>
    </>
  );
}

/** Keyboards and screen readers continue at the new page, as they would after a real page load. */
function useFocusOnNewPage(pathname: string) {
  const main = useRef<HTMLDivElement>(null);
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
