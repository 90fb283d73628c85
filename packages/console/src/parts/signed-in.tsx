import { Anchor, Container, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link, Navigate, Outlet, useLocation } from 'react-router';
import { useSignedInUser } from '../api/account.ts';
import { Loaded } from './loaded.tsx';
import { Logo } from './logo.tsx';
import { Me } from './me.ts';
import { signInPath } from './next-path.ts';
import classes from './signed-in.module.css';
import { UserMenu } from './user-menu.tsx';

/** The frame of every page for somebody who is signed in; sends everybody else to sign in. */
export function SignedIn() {
  const reading = useSignedInUser();
  const location = useLocation();
  const main = useFocusOnNewPage(location.pathname);
  if (reading.data === null) return <Navigate to={signInPath(location)} replace />;
  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to the content
      </a>
      <header className={classes.header}>
        <Container size="lg" className={classes.bar}>
          <Link to="/" className={classes.home} aria-label="Mooring, home">
            <Logo />
          </Link>
          <Group gap="lg" wrap="nowrap">
            <Anchor href="/docs" size="sm" c="inherit">
              API specification
            </Anchor>
            {reading.data && <UserMenu user={reading.data} />}
          </Group>
        </Container>
      </header>
      <Container component="main" id="main" ref={main} tabIndex={-1} size="lg" py="xl" className={classes.main}>
        <Loaded reading={reading}>
          {(user) => (
            <Me value={user ?? undefined}>
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
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    main.current?.focus();
    window.scrollTo(0, 0);
  }, [pathname]);
  return main;
}
