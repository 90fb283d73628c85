import { useLocation, useParams } from 'react-router';
import type { User } from '../api/account.ts';
import { type App, useApp } from '../api/apps.ts';
import { useIsOperator } from '../api/health.ts';
import { useOrg } from '../api/orgs.ts';
import type { Area, Section, SectionGroup } from '../areas/area.ts';
import { app, health, home, org } from '../areas/index.ts';
import { appParams } from '../paths.ts';
import { type CurrentPage, permissionOn } from './current-page.ts';
import { useHandles } from './pages.tsx';

/** Works it out from the route that is open, and from what is read of its app or organization anyway. */
export function useFindCurrentPage(user: User): CurrentPage {
  const handles = useHandles();
  const params = useParams();
  const { search } = useLocation();
  const area = handles.find((handle) => handle.area)?.area ?? home;
  const { section: found, entry, isBelow = false } = handles.at(-1) ?? {};
  const section = sectionAt(area, found, new URLSearchParams(search));
  const here = { area, section, entry, isBelow, params: {} };

  const { owner = '', app: appName = '', org: orgName = '' } = params;
  const ofApp = useApp({ owner_name: owner, app_name: appName }, area === app);
  const ofOrg = useOrg(orgName, user.name, area === org);
  const rights = useIsOperator(area === health && !user.is_admin);
  const isLost = (area === app && ofApp.error) || (area === org && ofOrg.error);
  const person = user.is_admin ? 'administrator' : rights.data?.is_operator ? 'operator' : 'user';

  // There is no sidebar for what is not there, or not for this reader.
  if (isLost) return { ...here, area: home, section: undefined, caller: person };
  if (area === app) return { ...here, caller: undefined, ...(ofApp.data && currentApp(ofApp.data)) };
  if (area === org) return { ...here, caller: undefined, ...(ofOrg.data && currentOrg(ofOrg.data)) };
  if (area === health && rights.isLoading) return { ...here, caller: undefined };
  return { ...here, caller: person };
}

const currentApp = (found: App) => ({
  app: found,
  ...(found.owner.type === 'org' ? { org: found.owner } : {}),
  params: appParams(found),
  caller: `app:${permissionOn(found)}` as const,
});

const currentOrg = ({ org: found, role }: NonNullable<ReturnType<typeof useOrg>['data']>) => ({
  org: found,
  params: { org: found.name },
  caller: `org:${role}` as const,
});

/** Where several entries lead to one page, the one whose part of the address is there. */
function sectionAt(area: Area, found: Section | undefined, query: URLSearchParams): Section | undefined {
  if (!found || !('page' in found)) return found;
  const asked = sectionsOf(area.groups).find(
    (section) =>
      'page' in section &&
      section.page === found.page &&
      section.query &&
      Object.entries(section.query).every(([name, value]) => query.get(name) === value),
  );
  return asked ?? found;
}

const sectionsOf = (groups: SectionGroup[]): Section[] => groups.flatMap(({ sections }) => sections);
