import { Modal, useMantineColorScheme } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import {
  appInvitations_create,
  type EndpointSpec,
  mayCall,
  releaseUploads_put,
  symbolUploads_create,
} from '@mooring/contract';
import {
  IconApi,
  IconBug,
  IconBuilding,
  IconChartDots,
  IconClock,
  IconHammer,
  IconHeartbeat,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPackage,
  IconPlus,
  IconReceipt,
  IconSun,
  IconUpload,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSignOut } from '../../api/account/sign-out.ts';
import { toAppRef } from '../../api/apps.ts';
import { type IdMatch, type SearchMatch, useEventNames, useSearch, useSearchById } from '../../api/search.ts';
import { useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { API_REFERENCE, appParams, appPath, paths, pathTo, withQuery } from '../../paths.ts';
import { paletteUses, recordUse } from '../../routing/palette-uses.ts';
import { recentVisits } from '../../routing/recent-visits.ts';
import { useFocusReturn } from '../dialogs/focus-return.ts';
import { Image } from '../images/image.tsx';
import { type Pick, type PickGroup, PickList } from '../layout/pick-list.tsx';
import { usePages } from './palette-pages.tsx';
import { type Candidate, rankGroups } from './palette-ranking.ts';

/** Finds apps, organizations, people, pages, pasted IDs and actions. */
export default function CommandPalette({ first, onClose }: { first: string; onClose: () => void }) {
  useFocusReturn();
  const [text, setText] = useState(first);
  const [typed] = useDebouncedValue(text.trim(), 120);
  const me = useCurrentUser();
  const navigate = useNavigate();
  const results = useSearch(typed);
  const byId = useSearchById(typed);
  const groups = useGroups(text.trim(), text.trim() ? results.data : undefined, byId.data);
  const pick = ({ id, to, run }: Pick, isNewTab: boolean) => {
    recordUse(me.id, id);
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

function useGroups(search: string, results: SearchMatch[] | undefined, byId: IdMatch[] | undefined): PickGroup[] {
  const me = useCurrentUser();
  const { app, org } = useCurrentPage();
  const here = app ? appPath(app) : org && pathTo('org', { org: org.name });
  const events = useEventNames(app && toAppRef(app), search !== '').data ?? [];
  const pages = usePages();
  const actions = useActions();
  if (search === KEYS) return [{ heading: 'Keyboard shortcuts', picks: shortcuts }];
  if (!search) {
    const recent = recentVisits(me.id)
      .filter(({ to }) => to !== here)
      .map(({ to, label, detail }): Pick => ({ id: `recent ${to}`, label, detail, to, icon: <IconClock size={16} /> }));
    return [
      { heading: 'Recent', picks: recent },
      { heading: 'Go to', picks: pages.here },
      { heading: 'Actions', picks: actions },
    ];
  }
  const found = kinds.map(({ kind, heading, icon, isLast }) => ({
    heading,
    isFound: true,
    isLast,
    picks: (results ?? []).filter((one) => one.kind === kind).map((one) => toPick(one, me.is_admin, icon)),
  }));
  const ranked = rankGroups(
    search,
    [
      { heading: 'Go to', picks: [...pages.here, ...pages.elsewhere] },
      { heading: 'Actions', picks: actions },
      ...(app ? [{ heading: `Events of ${app.display_name}`, picks: eventPicks(app, events) }] : []),
      ...found,
    ],
    paletteUses(me.id),
  );
  return [{ heading: 'Matching ID', picks: (byId ?? []).map(idMatchToPick) }, ...ranked.map(shorten)];
}

/** Typed alone, it lists the keys. */
const KEYS = '?';
const shortcuts: Pick[] = [
  ['Open search', 'Ctrl K, ⌘ K or /'],
  ['Show keyboard shortcuts', '?'],
  ['Next row of a list', 'j'],
  ['Previous row of a list', 'k'],
  ['Open the selected row', 'Enter'],
  ['Open in a new tab, in search', 'Ctrl Enter or ⌘ Enter'],
  ['Move between points of a chart', '← →, Home, End'],
  ['Close a dialog or menu', 'Esc'],
].map(([label = '', detail]) => ({ id: `key ${label}`, label, detail, icon: <IconKeyboard size={16} /> }));

/** A group that fills the list would hide the others. */
const MAX_PICKS = 8;
const shorten = ({ heading, picks }: PickGroup): PickGroup => ({ heading, picks: picks.slice(0, MAX_PICKS) });

const eventPicks = (app: Parameters<typeof appParams>[0], names: string[]): Pick[] =>
  names.map((event) => ({
    id: `event ${event}`,
    label: event,
    to: pathTo('appEvent', { ...appParams(app), event }),
    icon: <IconChartDots size={16} />,
  }));

/** Search results in display order. */
const kinds: { kind: string; heading: string; icon: ReactNode; isLast?: true }[] = [
  { kind: 'app', heading: 'Apps', icon: undefined },
  { kind: 'organization', heading: 'Organizations', icon: <IconBuilding size={16} /> },
  { kind: 'person', heading: 'People', icon: <IconUser size={16} /> },
  { kind: 'release', heading: 'Releases', icon: <IconPackage size={16} /> },
  { kind: 'issue', heading: 'Crashes and errors', icon: <IconBug size={16} /> },
  { kind: 'build', heading: 'Builds', icon: <IconHammer size={16} /> },
  { kind: 'health_event', heading: 'Health events', icon: <IconHeartbeat size={16} /> },
  { kind: 'operation', heading: 'API operations', icon: <IconApi size={16} />, isLast: true },
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

const toPick = (one: SearchMatch, isAdmin: boolean, icon: ReactNode): Pick => ({
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

/** In an app, also its most frequent tasks. */
function useActions(): Candidate[] {
  const { app, caller } = useCurrentPage();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const signOut = useSignOut();
  const plus = <IconPlus size={16} />;
  const scheme = (value: typeof colorScheme, label: string, icon: ReactNode): Pick[] =>
    value === colorScheme ? [] : [{ id: `scheme ${value}`, label, icon, run: () => setColorScheme(value) }];
  const inApp = (spec: EndpointSpec, action: Candidate): Candidate[] =>
    app && caller && mayCall(spec, caller, 'all') ? [action] : [];
  const params = app ? appParams(app) : { owners: '', owner: '', app: '' };
  return [
    ...inApp(releaseUploads_put, {
      id: 'upload release',
      label: 'Upload release',
      keywords: 'distribute new apk ipa',
      to: pathTo('appReleases', params, { new: 'release' }),
      icon: <IconUpload key="upload" size={16} />,
    }),
    ...inApp(appInvitations_create, {
      id: 'invite',
      label: 'Invite people',
      keywords: 'add member user',
      to: pathTo('appUsers', params),
      icon: <IconUserPlus key="invite" size={16} />,
    }),
    ...inApp(symbolUploads_create, {
      id: 'upload symbols',
      label: 'Upload symbols',
      keywords: 'mapping dsym',
      to: pathTo('appSymbols', params),
      icon: <IconUpload key="symbols" size={16} />,
    }),
    { id: 'new app', label: 'New app', to: paths.newApp, icon: plus },
    { id: 'new org', label: 'New organization', to: paths.newOrg, icon: plus },
    { id: 'new token', label: 'New API token', to: paths.tokens, icon: plus },
    ...scheme('light', 'Use light color scheme', <IconSun key="sun" size={16} />),
    ...scheme('dark', 'Use dark color scheme', <IconMoon key="moon" size={16} />),
    {
      id: 'sign out',
      label: 'Sign out',
      keywords: 'log out logout',
      icon: <IconLogout size={16} />,
      run: () => signOut.mutate(),
    },
  ];
}
