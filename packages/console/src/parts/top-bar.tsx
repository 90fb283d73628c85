import { Button, Menu, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { apps_createForOrg, HealthEvent_Publish, mayCall } from '@mooring/contract';
import { IconChevronDown, IconMenu2, IconPlus } from '@tabler/icons-react';
import { Link } from 'react-router';
import { useActiveEventCount, useIsOperator } from '../api/health.ts';
import { paths, withQuery } from '../paths.ts';
import { useCurrentPage } from './current-page.ts';
import { Logo } from './logo.tsx';
import { useMe } from './me.ts';
import { SearchButton } from './search-button.tsx';
import { SidebarDrawer } from './sidebar.tsx';
import { Switcher } from './switcher.tsx';
import classes from './top-bar.module.css';
import { UserMenu } from './user-menu.tsx';

/** Before it is known who is signed in. */
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
      <UserMenu user={useMe()} />
    </div>
  </header>
);

const HomeLink = () => (
  <Link to={paths.home} className={classes.home} aria-label="Mooring, home">
    <Logo size={24} />
  </Link>
);

/** On a phone, the title of the place opens its sections. */
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
      <SidebarDrawer isOpen={isOpen} onClose={close} />
    </>
  );
}

/** How the services are, from everywhere. */
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

/** What can be made from everywhere. */
function NewMenu() {
  const { is_admin } = useMe();
  const { org, caller } = useCurrentPage();
  const rights = useIsOperator(!is_admin);
  const isOperator =
    mayCall(HealthEvent_Publish, is_admin ? 'administrator' : 'user', 'all') || rights.data?.is_operator;
  const owner = org && caller?.startsWith('org:') && mayCall(apps_createForOrg, caller, 'all') ? org.name : undefined;
  return (
    <Menu position="bottom-end" width={200} shadow="md" withinPortal={false}>
      <Menu.Target>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconPlus size={14} aria-hidden />}
          rightSection={<IconChevronDown size={12} aria-hidden />}
          className={classes.newMenu}
        >
          New
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={withQuery(paths.newApp, { org: owner })}>
          App
        </Menu.Item>
        <Menu.Item component={Link} to={paths.newOrg}>
          Organization
        </Menu.Item>
        {isOperator && (
          <Menu.Item component={Link} to={paths.healthPublish}>
            Health event
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
