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
import { appRefOf } from '../api/apps.ts';
import { type Found, type IdOf, useEventNames, useFound, useFoundById } from '../api/search.ts';
import { useSignOut } from '../api/sessions.ts';
import { administration, health, home, settings } from '../areas/index.ts';
import { API_REFERENCE, appParams, appPath, paths, pathTo, withQuery } from '../paths.ts';
import { openGroups, subjectOf, useCurrentPage } from './current-page.ts';
import { useFocusReturn } from './focus-return.ts';
import { Image } from './image.tsx';
import { useMe } from './me.ts';
import { type Pick, type PickGroup, PickList } from './pick-list.tsx';
import { recentVisits } from './recent.ts';

/** Everything that can be gone to or begun, by typing: apps, organizations, people, sections, pasted ids, actions. */
export default function CommandPalette({ onClose }: { onClose: () => void }) {
  useFocusReturn();
  const [text, setText] = useState('');
  const [typed] = useDebouncedValue(text.trim(), 120);
  const navigate = useNavigate();
  const found = useFound(typed);
  const byId = useFoundById(typed);
  const groups = useGroups(text.trim(), text.trim() ? found.data : undefined, byId.data);
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
            empty={found.isFetching || text.trim() !== typed ? 'Searching…' : `Nothing found for “${typed}”.`}
            onPick={pick}
          />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

/** Words in any order, each somewhere in the text. */
const fits = (asked: string, text: string): boolean =>
  asked
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word));

function useGroups(asked: string, found: Found[] | undefined, byId: IdOf[] | undefined): PickGroup[] {
  const me = useMe();
  const { app, org } = useCurrentPage();
  const here = app ? appPath(app) : org && pathTo('org', { org: org.name });
  const events = useEventNames(app && appRefOf(app), asked !== '').data ?? [];
  const sections = useSections();
  const actions = useActions();
  const matching = (picks: Pick[]) => picks.filter(({ label, detail = '' }) => fits(asked, `${label} ${detail}`));
  if (!asked) {
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
    { heading: 'This id belongs to', picks: (byId ?? []).map(pickOfId) },
    ...(app
      ? [{ heading: `Events of ${app.display_name}`, picks: matching(eventPicks(app, events)).slice(0, EVENTS_SHOWN) }]
      : []),
    ...kinds.map(({ kind, heading, icon }) => ({
      heading,
      picks: (found ?? []).filter((one) => one.kind === kind).map((one) => pickOf(one, me.is_admin, icon)),
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

/** What the search finds, in the order that it is shown in. */
const kinds = [
  { kind: 'app', heading: 'Apps', icon: undefined },
  { kind: 'organization', heading: 'Organizations', icon: <IconBuilding size={16} /> },
  { kind: 'person', heading: 'People', icon: <IconUser size={16} /> },
  { kind: 'release', heading: 'Releases', icon: <IconPackage size={16} /> },
  { kind: 'issue', heading: 'Crashes and errors', icon: <IconBug size={16} /> },
  { kind: 'build', heading: 'Builds', icon: <IconHammer size={16} /> },
  { kind: 'health_event', heading: 'Health events', icon: <IconHeartbeat size={16} /> },
  { kind: 'operation', heading: 'Operations of the API', icon: <IconApi size={16} /> },
];
/** Those that are shown by a picture of their own. */
const pictured = ['app', 'organization'];

/** An app that is found under either kind of owner is shown under the right one. */
function pathOf({ kind, title, path }: Found, isAdmin: boolean): string {
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

const pickOf = (one: Found, isAdmin: boolean, icon: React.ReactNode): Pick => ({
  id: `${one.kind} ${one.id}`,
  label: one.title,
  detail: one.detail,
  to: pathOf(one, isAdmin),
  icon: !pictured.includes(one.kind) ? icon : <Image src={one.image_url} name={one.title} size={22} />,
});

function pickOfId(one: IdOf): Pick {
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

/** The sections of the place that the reader is in, and those that are the same everywhere. */
function useSections(): { here: Pick[]; elsewhere: Pick[] } {
  const current = useCurrentPage();
  const { is_admin } = useMe();
  const caller = is_admin ? 'administrator' : 'user';
  const others = [home, health, administration, settings].filter((area) => area !== current.area);
  const picksIn = (of: Parameters<typeof openGroups>[0], detail: string): Pick[] =>
    openGroups(of)
      .flatMap(({ sections }) => sections)
      .map(({ section: { label, icon: Icon }, to }) => ({
        id: `section ${to} ${label}`,
        label,
        detail,
        to,
        icon: <Icon size={16} stroke={1.6} />,
      }));
  return {
    here: picksIn(current, subjectOf(current)[0] ?? current.area.label),
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
    ...scheme('light', 'Use light colours', <IconSun key="sun" size={16} />),
    ...scheme('dark', 'Use dark colours', <IconMoon key="moon" size={16} />),
    { id: 'sign out', label: 'Sign out', icon: <IconLogout size={16} />, run: () => signOut.mutate() },
  ];
}
