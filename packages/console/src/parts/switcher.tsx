import { ActionIcon, Popover } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPlus, IconSelector } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { useOrgs } from '../api/orgs.ts';
import { type ListedApp, useAppsToOpen } from '../api/search.ts';
import { appParams, appPath, paths, pathTo, withQuery } from '../paths.ts';
import { AppIcon } from './app-icon.tsx';
import { breadcrumbsOf, type CurrentPage, mayOpen, openGroups, pathOf, useCurrentPage } from './current-page.ts';
import { Image } from './image.tsx';
import { type Pick, type PickGroup, PickList } from './pick-list.tsx';
import classes from './switcher.module.css';

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
            <Picker label="Switch organization">{(close) => <OrgPicks onPicked={close} />}</Picker>
          </li>
        )}
        {app && (
          <li>
            <Link to={appPath(app)} className={classes.link}>
              <AppIcon app={app} size={20} />
              <span className={classes.name}>{app.display_name}</span>
            </Link>
            <Picker label="Switch app">{(close) => <AppPicks owner={app.owner} onPicked={close} />}</Picker>
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

/** What opens a list of others to go to. */
function Picker({ label, children }: { label: string; children: (close: () => void) => ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover
      opened={isOpen}
      onChange={close}
      position="bottom-start"
      width={320}
      shadow="md"
      trapFocus
      returnFocus
      withinPortal={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} onClick={toggle}>
          <IconSelector size={14} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {children(close)}
      </Popover.Dropdown>
    </Popover>
  );
}

interface SwitcherPicksProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  groups: PickGroup[];
  isReading: boolean;
  onPicked: () => void;
}

function SwitcherPicks({ label, isReading, onPicked, ...rest }: SwitcherPicksProps) {
  const navigate = useNavigate();
  const pick = ({ to = '' }: Pick, isNewTab: boolean) => {
    if (isNewTab) return window.open(to, '_blank', 'noopener');
    onPicked();
    return void navigate(to);
  };
  return (
    <PickList
      label={label}
      placeholder={label}
      empty={isReading ? 'Loading…' : 'Nothing found.'}
      onPick={pick}
      {...rest}
    />
  );
}

function OrgPicks({ onPicked }: { onPicked: () => void }) {
  const [text, setText] = useState('');
  const orgs = useOrgs();
  const asked = text.trim().toLowerCase();
  const picks = (orgs.data ?? [])
    .filter(({ name, display_name }) => `${display_name} ${name}`.toLowerCase().includes(asked))
    .map(
      ({ name, display_name }): Pick => ({
        id: name,
        label: display_name,
        detail: name,
        to: pathTo('org', { org: name }),
        icon: <Image src={undefined} name={display_name} size={22} />,
      }),
    );
  return (
    <SwitcherPicks
      label="Search organizations"
      text={text}
      onText={setText}
      isReading={orgs.isPending}
      onPicked={onPicked}
      groups={[
        { heading: 'Organizations', picks },
        {
          heading: 'More',
          picks: [
            { id: '*all', label: 'All organizations', to: paths.orgs, icon: <IconBuilding size={16} /> },
            { id: '*new', label: 'New organization', to: paths.newOrg, icon: <IconPlus size={16} /> },
          ],
        },
      ]}
    />
  );
}

function AppPicks({ owner, onPicked }: { owner: { name: string; display_name: string }; onPicked: () => void }) {
  const current = useCurrentPage();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 150);
  const apps = useAppsToOpen(owner.name, typed);
  return (
    <SwitcherPicks
      label={`Search apps of ${owner.display_name}`}
      text={text}
      onText={setText}
      isReading={apps.isPending}
      onPicked={onPicked}
      groups={[
        {
          heading: owner.display_name,
          picks: (apps.data ?? []).map((app) => ({
            id: app.id,
            label: app.display_name,
            detail: app.os,
            to: sameSection(app, current),
            icon: <AppIcon app={app} size={22} />,
          })),
        },
        {
          heading: 'More',
          picks: [
            { id: '*all', label: 'All apps', to: paths.home, icon: <IconBuilding size={16} /> },
            {
              id: '*new',
              label: 'New app',
              to: withQuery(paths.newApp, { org: current.org?.name }),
              icon: <IconPlus size={16} />,
            },
          ],
        },
      ]}
    />
  );
}

/** From the members of one app to those of another, if the reader may see them there. */
const sameSection = (app: ListedApp, { entry }: CurrentPage): string =>
  entry && mayOpen(entry, `app:${app.permission}`) ? pathOf(entry, appParams(app)) : appPath(app);
