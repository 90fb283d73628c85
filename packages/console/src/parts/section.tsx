import { Stack } from '@mantine/core';
import { NavLink, Outlet } from 'react-router';
import classes from './section.module.css';

interface SectionProps {
  label: string;
  links: { to: string; label: string }[];
}

/** Pages that belong together, with links from one to the other. */
export function Section({ label, links }: SectionProps) {
  return (
    <Stack gap="xl">
      <nav aria-label={label} className={classes.nav}>
        {links.map((link) => (
          <NavLink key={link.to} to={link.to} className={classes.link}>
            {link.label}
          </NavLink>
        ))}
      </nav>
      <Outlet />
    </Stack>
  );
}
