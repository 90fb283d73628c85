import { Stack } from '@mantine/core';
import { type Caller, mayCall } from '@mooring/contract';
import { type ReactNode, useEffect, useRef } from 'react';
import { NavLink, Outlet, useLocation } from 'react-router';
import type { Area } from '../sections.ts';
import classes from './area.module.css';
import { Hidden } from './hidden.tsx';
import { useMe } from './me.ts';

interface AreaFrameProps {
  area: Area;
  /** The area's address, with names in the place of parameters. */
  base: string;
  caller: Caller;
  /** What the pages are about, above the links. */
  header?: ReactNode;
}

/** Pages that belong together, with links to those that the reader may use. */
export function AreaFrame({ area, base, caller, header }: AreaFrameProps) {
  const open = area.sections.filter(({ needs }) => mayCall(needs, caller, 'all'));
  const { pathname } = useLocation();
  const nav = useCurrentInView(pathname);
  const [first = ''] = pathname.slice(base.length).split('/').filter(Boolean);
  const here = area.sections.find(({ path }) => path === first);
  return (
    <Stack gap="lg">
      {header}
      {open.length > 0 && (
        <nav ref={nav} aria-label={area.label} className={classes.nav}>
          {open.map(({ path, label }) => (
            <NavLink key={path} to={path ? `${base}/${path}` : base} end={path === ''} className={classes.link}>
              {label}
            </NavLink>
          ))}
        </nav>
      )}
      {here && !open.includes(here) ? (
        <Hidden isForbidden isPage reason={`“${here.label}” needs other rights than yours.`} />
      ) : (
        <Outlet />
      )}
    </Stack>
  );
}

/** On a phone there is no room for all links, so the one that is open is scrolled to. */
function useCurrentInView(pathname: string) {
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link.
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return nav;
}

/** An area that is about nobody but the reader, or the server. */
export function PersonalArea({ area }: { area: Area }) {
  const me = useMe();
  return <AreaFrame area={area} base={area.bases[0] ?? ''} caller={me.is_admin ? 'administrator' : 'user'} />;
}
