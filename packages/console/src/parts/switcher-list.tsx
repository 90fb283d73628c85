import { Popover } from '@mantine/core';
import { useDebouncedValue, useDisclosure } from '@mantine/hooks';
import { IconBuilding, IconPlus } from '@tabler/icons-react';
import { cloneElement, useState } from 'react';
import { useNavigate } from 'react-router';
import { useOrgs } from '../api/orgs.ts';
import { type ListedApp, useAppsToOpen } from '../api/search.ts';
import { appParams, appPath, paths, pathTo, withQuery } from '../paths.ts';
import { AppIcon } from './app-icon.tsx';
import { type CurrentPage, mayOpen, pathOf, useCurrentPage } from './current-page.ts';
import { Image } from './image.tsx';
import type { Opened } from './on-demand.tsx';
import { type Pick, type PickGroup, PickList } from './pick-list.tsx';

export interface PickerProps {
  label: string;
  /** Whose apps; without it, organizations. */
  owner?: { name: string; display_name: string };
}

/** A list of others to go to. */
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
  isReading: boolean;
  onPicked: () => void;
}

function Picks({ label, isReading, onPicked, ...rest }: PicksProps) {
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
    <Picks
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
  const place = useCurrentPage();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 150);
  const apps = useAppsToOpen(owner.name, typed);
  return (
    <Picks
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

/** From the members of one app to those of another, if the reader may see them there. */
const sameSection = (app: ListedApp, { entry }: CurrentPage): string =>
  entry && mayOpen(entry, `app:${app.permission}`) ? pathOf(entry, appParams(app)) : appPath(app);
