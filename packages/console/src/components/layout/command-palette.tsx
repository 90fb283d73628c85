import { Modal, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  IconApi,
  IconBug,
  IconBuilding,
  IconChartDots,
  IconClock,
  IconHammer,
  IconHeartbeat,
  IconLogout,
  IconMoon,
  IconPackage,
  IconPlus,
  IconReceipt,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSignOut } from '../../api/account/sign-out.ts';
import { toAppRef } from '../../api/apps.ts';
import { type IdMatch, type SearchMatch, useEventNames, useSearch, useSearchById } from '../../api/search.ts';
import { administration, health, home, settings } from '../../areas/index.ts';
import { getPageSubject, listOpenGroups, useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { API_REFERENCE, appParams, appPath, paths, pathTo, withQuery } from '../../paths.ts';
import { recentVisits } from '../../routing/recent-visits.ts';
import { useFocusReturn } from '../dialogs/focus-return.ts';
import { Image } from '../images/image.tsx';
import { type Pick, type PickGroup, PickList } from './pick-list.tsx';

/** Finds apps, organizations, people, pages, pasted IDs and actions. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 120);
  const navigate = useNavigate();
  const results = useSearch(typed);
  const byId = useSearchById(typed);
  const groups = useGroups(text.trim(), text.trim() ? results.data : undefined, byId.data);
  const pick = ({ to, run }: Pick, isNewTab: boolean) => {
    if (to && isNewTab) return window.open(to, '_blank', 'noopener');
    onClose();
    if (to?.startsWith(API_REFERENCE)) return window.location.assign(to);
    if (to) return void navigate(to);
    run?.();
  };
  return (
    <Modal.Root opened onClose={onClose} size={600} yOffset="12vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search and commands">
        <Modal.Body p={0}>
          <PickList
            label="Search"
            placeholder="Search apps, people, releases, crashes, builds, events, pages and the API"
            text={text}
            onText={setText}
            groups={groups}
            empty={results.isFetching || text.trim() !== typed ? 'Searching…' : `No results for “${typed}”`}
            onPick={pick}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Matches words in any order, anywhere in the text. */
const matchesAll = (search: string, text: string): boolean =>
  search
    .toLowerCase()
    .split(/\s+/)
    .every((term) => text.toLowerCase().includes(term));

function useGroups(search: string, results: SearchMatch[] | undefined, byId: IdMatch[] | undefined): PickGroup[] {
  const me = useCurrentUser();
  const { app, org } = useCurrentPage();
  const here = app ? appPath(app) : org && pathTo('org', { org: org.name });
  const events = useEventNames(app && toAppRef(app), search !== '').data ?? [];
  const sections = useSections();
  const actions = useActions();
  const matching = (picks: Pick[]) =>
    picks.filter(({ label, detail = '' }) => matchesAll(search, `${label} ${detail}`));
  if (!search) {
    const recent = recentVisits(me.id)
      .filter(({ to }) => to !== here)
      .map(({ to, label, detail }): Pick => ({ id: `recent ${to}`, label, detail, to, icon: <IconClock size={16} /> }));
    return [
      { heading: 'Recent', picks: recent },
      { heading: 'Go to', picks: sections.here },
      { heading: 'Actions', picks: actions },
    ];
  }
  return [
    { heading: 'Matching ID', picks: (byId ?? []).map(idMatchToPick) },
    ...(app
      ? [{ heading: `Events of ${app.display_name}`, picks: matching(eventPicks(app, events)).slice(0, EVENTS_SHOWN) }]
      : []),
    ...kinds.map(({ kind, heading, icon }) => ({
      heading,
      picks: (results ?? []).filter((one) => one.kind === kind).map((one) => toPick(one, me.is_admin, icon)),
    })),
    { heading: 'Go to', picks: matching([...sections.here, ...sections.elsewhere]) },
    { heading: 'Actions', picks: matching(actions) },
  ];
}

const EVENTS_SHOWN = 6;
const eventPicks = (app: Parameters<typeof appParams>[0], names: string[]): Pick[] =>
  names.map((event) => ({
    id: `event ${event}`,
    label: event,
    to: pathTo('appEvent', { ...appParams(app), event }),
    icon: <IconChartDots size={16} />,
  }));

/** Search results in display order. */
const kinds = [
  { kind: 'app', heading: 'Apps', icon: undefined },
  { kind: 'organization', heading: 'Organizations', icon: <IconBuilding size={16} /> },
  { kind: 'person', heading: 'People', icon: <IconUser size={16} /> },
  { kind: 'release', heading: 'Releases', icon: <IconPackage size={16} /> },
  { kind: 'issue', heading: 'Crashes and errors', icon: <IconBug size={16} /> },
  { kind: 'build', heading: 'Builds', icon: <IconHammer size={16} /> },
  { kind: 'health_event', heading: 'Health events', icon: <IconHeartbeat size={16} /> },
  { kind: 'operation', heading: 'API operations', icon: <IconApi size={16} /> },
];
/** Kinds shown with their own picture. */
const pictured = ['app', 'organization'];

/** Links an app under its actual kind of owner. */
function getPath({ kind, title, path }: SearchMatch, isAdmin: boolean): string {
  const { owner_name = '', app_name = '', org_name, user_name } = path;
  if (kind === 'app') return pathTo('app', { owners: 'orgs', owner: owner_name, app: app_name });
  if (kind === 'organization') return pathTo('org', { org: org_name ?? '' });
  const inApp = { owners: 'orgs', owner: owner_name, app: app_name };
  if (kind === 'release') return pathTo('appRelease', { ...inApp, release: path.release_id ?? '' });
  if (kind === 'issue') return pathTo('appCrash', { ...inApp, issue: path.issue_id ?? '' });
  if (kind === 'build') return pathTo('appBuild', { ...inApp, build: path.build_id ?? '' });
  if (kind === 'health_event') return pathTo('healthEvent', { trackingId: path.tracking_id ?? '' });
  if (kind === 'operation') return `${API_REFERENCE}#/${encodeURIComponent(path.tag ?? '')}/${path.operation_id}`;
  if (org_name) return pathTo('orgPeople', { org: org_name }, { q: title });
  return isAdmin ? withQuery(paths.adminUsers, { q: user_name }) : paths.home;
}

const toPick = (one: SearchMatch, isAdmin: boolean, icon: React.ReactNode): Pick => ({
  id: `${one.kind} ${one.id}`,
  label: one.title,
  detail: one.detail,
  to: getPath(one, isAdmin),
  icon: !pictured.includes(one.kind) ? icon : <Image src={one.image_url} name={one.title} size={22} />,
});

function idMatchToPick(one: IdMatch): Pick {
  const { id, title } = one;
  return one.kind === 'event'
    ? {
        id: `id ${id}`,
        label: title,
        detail: id,
        to: pathTo('healthEvent', { trackingId: id }),
        icon: <IconHeartbeat size={16} />,
      }
    : {
        id: `id ${id}`,
        label: title,
        detail: 'Subscription',
        to: pathTo('healthSubscription', { subscription: id }),
        icon: <IconReceipt size={16} />,
      };
}

/** Pages of the current area, and pages available everywhere. */
function useSections(): { here: Pick[]; elsewhere: Pick[] } {
  const current = useCurrentPage();
  const { is_admin } = useCurrentUser();
  const caller = is_admin ? 'administrator' : 'user';
  const others = [home, health, administration, settings].filter((area) => area !== current.area);
  const picksIn = (page: Parameters<typeof listOpenGroups>[0], detail: string): Pick[] =>
    listOpenGroups(page)
      .flatMap(({ sections }) => sections)
      .map(({ section: { label, icon: Icon }, to }) => ({
        id: `section ${to} ${label}`,
        label,
        detail,
        to,
        icon: <Icon size={16} stroke={1.6} />,
      }));
  return {
    here: picksIn(current, getPageSubject(current)[0] ?? current.area.label),
    elsewhere: [
      ...others.flatMap((area) => picksIn({ area, caller, params: {} }, area.label)),
      { id: 'api', label: 'API reference', to: API_REFERENCE, icon: <IconApi size={16} /> },
    ],
  };
}

function useActions(): Pick[] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const plus = <IconPlus size={16} />;
  const scheme = (value: typeof colorScheme, label: string, icon: React.ReactNode): Pick[] =>
    value === colorScheme ? [] : [{ id: `scheme ${value}`, label, icon, run: () => setColorScheme(value) }];
  return [
    { id: 'new app', label: 'New app', to: paths.newApp, icon: plus },
    { id: 'new org', label: 'New organization', to: paths.newOrg, icon: plus },
    { id: 'new token', label: 'New API token', to: paths.tokens, icon: plus },
    ...scheme('light', 'Use light color scheme', <IconSun key="sun" size={16} />),
    ...scheme('dark', 'Use dark color scheme', <IconMoon key="moon" size={16} />),
    { id: 'sign out', label: 'Sign out', icon: <IconLogout size={16} />, run: () => signOut.mutate() },
  ];
}
