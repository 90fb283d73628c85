import { Popover } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { cloneElement, useState } from 'react';
import { useNavigate } from 'react-router';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { type ListedApp, useAppsToOpen } from '../../api/search.ts';
import { type CurrentPage, canOpen, getEntryPath, useCurrentPage } from '../../context/current-page.ts';
import { appParams, appPath, paths, pathTo, withQuery } from '../../paths.ts';
import type { Opened } from '../dialogs/on-demand.tsx';
import { AppIcon } from '../images/app-icon.tsx';
import { Image } from '../images/image.tsx';
import { type Pick, type PickGroup, PickList } from './pick-list.tsx';

export interface PickerProps {
  label: string;
  /** Owner of the apps; undefined for organizations. */
  owner?: { name: string; display_name: string };
}

/** List of organizations or apps to switch to. */
export default function SwitcherList({ label, owner, target }: PickerProps & Opened) {
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
      <Popover.Target>{cloneElement(target, { onClick: toggle })}</Popover.Target>
      <Popover.Dropdown p={0} aria-label={label}>
        {owner ? <AppPicks owner={owner} onPicked={close} /> : <OrgPicks onPicked={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

interface PicksProps {
  label: string;
  text: string;
  onText: (text: string) => void;
  groups: PickGroup[];
  isLoading: boolean;
  onPicked: () => void;
}

function Picks({ label, isLoading, onPicked, ...rest }: PicksProps) {
  const navigate = useNavigate();
  const pick = ({ to = '' }: Pick, isNewTab: boolean) => {
    if (isNewTab) return window.open(to, '_blank', 'noopener');
    onPicked();
    return void navigate(to);
  };
  return (
    <PickList label={label} placeholder={label} empty={isLoading ? 'Loading…' : 'No results'} onPick={pick} {...rest} />
  );
}

function OrgPicks({ onPicked }: { onPicked: () => void }) {
  const [text, setText] = useState('');
  const orgs = useOrgs();
  const search = text.trim().toLowerCase();
  const picks = (orgs.data ?? [])
    .filter(({ name, display_name }) => `${display_name} ${name}`.toLowerCase().includes(search))
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
    <Picks
      label="Search organizations"
      text={text}
      onText={setText}
      isLoading={orgs.isPending}
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
  const place = useCurrentPage();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 150);
  const apps = useAppsToOpen(owner.name, typed);
  return (
    <Picks
      label={`Search ${owner.display_name} apps`}
      text={text}
      onText={setText}
      isLoading={apps.isPending}
      onPicked={onPicked}
      groups={[
        {
          heading: owner.display_name,
          picks: (apps.data ?? []).map((app) => ({
            id: app.id,
            label: app.display_name,
            detail: app.os,
            to: sameSection(app, place),
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
              to: withQuery(paths.newApp, { org: place.org?.name }),
              icon: <IconPlus size={16} />,
            },
          ],
        },
      ]}
    />
  );
}

/** Keeps the section, such as members, if the user may open it in the other app. */
const sameSection = (app: ListedApp, { entry }: CurrentPage): string =>
  entry && canOpen(entry, `app:${app.permission}`) ? getEntryPath(entry, appParams(app)) : appPath(app);
