import { ActionIcon } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { Link } from 'react-router';
import { appPath, pathTo } from '../paths.ts';
import { AppIcon } from './app-icon.tsx';
import { breadcrumbsOf, openGroups, useCurrentPage } from './current-page.ts';
import { Image } from './image.tsx';
import { OnDemand } from './on-demand.tsx';
import classes from './switcher.module.css';
import type { PickerProps } from './switcher-list.tsx';

/** Where the reader is: organization, app and section, each a way back to it, or to another of its kind. */
export function Switcher() {
  const current = useCurrentPage();
  const { area, app, org } = current;
  return (
    <nav aria-label="Where you are" className={classes.frame}>
      <ol className={classes.trail}>
        {org && (
          <li>
            <Link to={pathTo('org', { org: org.name })} className={classes.link}>
              <Image src={org.avatar_url} name={org.display_name} size={20} />
              <span className={classes.name}>{org.display_name}</span>
            </Link>
            <Picker label="Switch organization" />
          </li>
        )}
        {app && (
          <li>
            <Link to={appPath(app)} className={classes.link}>
              <AppIcon app={app} size={20} />
              <span className={classes.name}>{app.display_name}</span>
            </Link>
            <Picker label="Switch app" owner={app.owner} />
          </li>
        )}
        {!org && !app && (
          <li>
            <Link to={openGroups(current)[0]?.sections[0]?.to ?? ''} className={classes.link}>
              {area.label}
            </Link>
          </li>
        )}
        {breadcrumbsOf(current).map(({ to, label }) => (
          <li key={label} className={classes.section}>
            {current.isBelow ? (
              <Link to={to} className={classes.link}>
                {label}
              </Link>
            ) : (
              <span className={classes.current}>{label}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

const loadPicker = () => import('./switcher-list.tsx');

/** What opens a list of others to go to. */
const Picker = (props: PickerProps) => (
  <OnDemand
    opens="dialog"
    load={loadPicker}
    to={props}
    button={(opener) => (
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={props.label} {...opener}>
        <IconSelector size={14} aria-hidden />
      </ActionIcon>
    )}
  />
);
