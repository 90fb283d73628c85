import { Button, Group, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronDown, IconMenu2, IconPlus } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router';
import type { User } from '../../api/account/account.ts';
import { useActiveEventCount } from '../../api/health/health.ts';
import { useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { paths, withQuery } from '../../paths.ts';
import { OnDemand } from '../dialogs/on-demand.tsx';
import { Image } from '../images/image.tsx';
import { Logo } from './logo.tsx';
import { SearchButton } from './search-button.tsx';
import { Switcher } from './switcher.tsx';
import classes from './top-bar.module.css';

const SidebarDrawer = lazy(() => import('./sidebar-drawer.tsx'));

/** Before the user is known. */
export const BareTopBar = () => (
  <header className={classes.bar}>
    <HomeLink />
  </header>
);

export const TopBar = () => (
  <header className={classes.bar}>
    <PhoneMenu />
    <HomeLink />
    <Switcher />
    <div className={classes.right}>
      <SearchButton />
      <HealthIndicator />
      <NewMenu />
      <UserMenu user={useCurrentUser()} />
    </div>
  </header>
);

const HomeLink = () => (
  <Link to={paths.home} className={classes.home} aria-label="Mooring, home">
    <Logo size={24} />
  </Link>
);

/** On a phone, the title opens the sidebar. */
function PhoneMenu() {
  const [isOpen, { open, close }] = useDisclosure();
  const { area, section, app, org } = useCurrentPage();
  const subject = app?.display_name ?? org?.display_name;
  return (
    <>
      <UnstyledButton className={classes.phoneMenu} onClick={open} aria-haspopup="dialog">
        <IconMenu2 size={20} aria-hidden />
        <span className={classes.phoneTitle}>
          {subject && <span className={classes.phoneSubject}>{subject}</span>}
          <span>{section?.label ?? area.label}</span>
        </span>
      </UnstyledButton>
      {isOpen && (
        <Suspense>
          <SidebarDrawer onClose={close} />
        </Suspense>
      )}
    </>
  );
}

/** Link to active health events, on every page. */
function HealthIndicator() {
  const count = useActiveEventCount();
  if (count === undefined) return null;
  return (
    <Link
      to={withQuery(paths.health, { status: 'Active' })}
      className={classes.health}
      aria-label={`${count.toLocaleString()} active health events`}
    >
      <span className={classes.dot} data-active={count > 0 || undefined} />
      <span className={classes.wide}>{count.toLocaleString()} active</span>
    </Link>
  );
}

const loadNewMenu = () => import('./new-menu.tsx');

const NewMenu = () => (
  <OnDemand
    opens="menu"
    load={loadNewMenu}
    to={{}}
    button={(opener) => (
      <Button
        size="compact-sm"
        variant="light"
        leftSection={<IconPlus size={14} aria-hidden />}
        rightSection={<IconChevronDown size={12} aria-hidden />}
        className={classes.newMenu}
        {...opener}
      >
        New
      </Button>
    )}
  />
);

const loadUserMenu = () => import('./user-menu.tsx');

const UserMenu = ({ user }: { user: User }) => (
  <OnDemand
    opens="menu"
    load={loadUserMenu}
    to={{ user }}
    button={(opener) => (
      <UnstyledButton {...opener}>
        <VisuallyHidden>{user.display_name} menu</VisuallyHidden>
        <Group gap={4} wrap="nowrap" aria-hidden>
          <Image src={undefined} name={user.display_name} size={28} isRound />
          <IconChevronDown size={12} aria-hidden />
        </Group>
      </UnstyledButton>
    )}
  />
);
