import { useLocation, useParams } from 'react-router';
import type { User } from '../api/account/account.ts';
import { type App, useApp } from '../api/apps.ts';
import { useIsOperator } from '../api/health/health.ts';
import { useOrg } from '../api/organizations/orgs.ts';
import type { Area, Section, SectionGroup } from '../areas/area.ts';
import { app, health, home, org } from '../areas/index.ts';
import { appParams } from '../paths.ts';
import { useHandles } from '../routing/router.tsx';
import { type CurrentPage, getAppPermission } from './current-page.ts';

/** Derives the page from the route and the loaded app or organization. */
export function useFindCurrentPage(user: User): CurrentPage {
  const handles = useHandles();
  const params = useParams();
  const { search } = useLocation();
  const area = handles.find((handle) => handle.area)?.area ?? home;
  const { section: match, entry, isBelow = false } = handles.at(-1) ?? {};
  const section = findSection(area, match, new URLSearchParams(search));
  const here = { area, section, entry, isBelow, params: {} };

  const { owner = '', app: appName = '', org: orgName = '' } = params;
  const appQuery = useApp({ owner_name: owner, app_name: appName }, area === app);
  const orgQuery = useOrg(orgName, user.name, area === org);
  const rights = useIsOperator(area === health && !user.is_admin);
  const isLost = (area === app && appQuery.error) || (area === org && orgQuery.error);
  const person = user.is_admin ? 'administrator' : rights.data?.is_operator ? 'operator' : 'user';

  // Missing and forbidden resources have no sidebar.
  if (isLost) return { ...here, area: home, section: undefined, caller: person };
  if (area === app) return { ...here, caller: undefined, ...(appQuery.data && currentApp(appQuery.data)) };
  if (area === org) return { ...here, caller: undefined, ...(orgQuery.data && currentOrg(orgQuery.data)) };
  if (area === health && rights.isLoading) return { ...here, caller: undefined };
  return { ...here, caller: person };
}

const currentApp = (data: App) => ({
  app: data,
  ...(data.owner.type === 'org' ? { org: data.owner } : {}),
  params: appParams(data),
  caller: `app:${getAppPermission(data)}` as const,
});

const currentOrg = ({ org: data, role }: NonNullable<ReturnType<typeof useOrg>['data']>) => ({
  org: data,
  params: { org: data.name },
  caller: `org:${role}` as const,
});

/** Of several entries with the same page, picks the one whose query matches. */
function findSection(area: Area, match: Section | undefined, query: URLSearchParams): Section | undefined {
  if (!match || !('page' in match)) return match;
  const byQuery = listSections(area.groups).find(
    (section) =>
      'page' in section &&
      section.page === match.page &&
      section.query &&
      Object.entries(section.query).every(([name, value]) => query.get(name) === value),
  );
  return byQuery ?? match;
}

const listSections = (groups: SectionGroup[]): Section[] => groups.flatMap(({ sections }) => sections);
