import { ActionIcon, Menu } from '@mantine/core';
import { mayCall } from '@mooring/contract';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, useLocation } from 'react-router';
import type { User } from '../api/account.ts';
import { type MainEntry, main } from '../sections.ts';
import classes from './main-nav.module.css';

const entriesFor = ({ is_admin }: User): MainEntry[] =>
  main.filter(({ needs }) => mayCall(needs, is_admin ? 'administrator' : 'user', 'all'));

const isHere = ({ to, covers }: MainEntry, pathname: string): boolean =>
  pathname === to || covers.some((prefix) => pathname.startsWith(prefix));

/** The entries in a row, where there is room for them. */
export function MainNav({ user }: { user: User }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Main" className={classes.nav}>
      {entriesFor(user).map((entry) => (
        <Link
          key={entry.to}
          to={entry.to}
          className={classes.link}
          aria-current={isHere(entry, pathname) ? 'true' : undefined}
        >
          {entry.label}
        </Link>
      ))}
      <a href="/docs" className={classes.link}>
        API
      </a>
    </nav>
  );
}

/** The same entries behind a button, on a phone. */
export function MainMenu({ user }: { user: User }) {
  return (
    <Menu position="bottom-start" width={220} shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="lg" className={classes.menu} aria-label="Main menu">
          <IconMenu2 size={20} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entriesFor(user).map((entry) => (
          <Menu.Item key={entry.to} component={Link} to={entry.to}>
            {entry.label}
          </Menu.Item>
        ))}
        <Menu.Item component="a" href="/docs">
          API specification
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
