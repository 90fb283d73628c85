import { ActionIcon } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import { Link } from 'react-router';
import { getBreadcrumbs, listOpenGroups, useCurrentPage } from '../../context/current-page.ts';
import { usePageName } from '../../context/page-name.ts';
import { appPath, pathTo } from '../../paths.ts';
import { OnDemand } from '../dialogs/on-demand.tsx';
import { AppIcon } from '../images/app-icon.tsx';
import { Image } from '../images/image.tsx';
import classes from './switcher.module.css';
import type { PickerProps } from './switcher-list.tsx';

/** Breadcrumbs of organization, app and section, with switchers. */
export function Switcher() {
  const current = useCurrentPage();
  const { area, app, org } = current;
  const name = usePageName();
  return (
    <nav aria-label="Breadcrumbs" className={classes.frame}>
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
            <Link to={listOpenGroups(current)[0]?.sections[0]?.to ?? ''} className={classes.link}>
              {area.label}
            </Link>
          </li>
        )}
        {getBreadcrumbs(current).map(({ to, label }) => (
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
        {current.isBelow && name && (
          <li className={classes.section}>
            <span className={classes.current} aria-current="page">
              {name}
            </span>
          </li>
        )}
      </ol>
    </nav>
  );
}

const loadPicker = () => import('./switcher-list.tsx');

/** Opens the list to switch. */
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
