import type { Caller } from '@mooring/contract';
import { IconApi } from '@tabler/icons-react';
import { matchPath } from 'react-router';
import type { Entry, Section, SectionGroup } from '../../areas/area.ts';
import { administration, app as appArea, health, home, settings } from '../../areas/index.ts';
import { canOpen, getEntryPath, getPageSubject, useCurrentPage } from '../../context/current-page.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { API_REFERENCE, type PageName, paths } from '../../paths.ts';
import { recentVisits } from '../../routing/recent-visits.ts';
import type { Candidate } from './palette-ranking.ts';

/** Other words for pages. */
const keywords: Partial<Record<PageName, string>> = {
  app: 'dashboard home',
  appAnalytics: 'users sessions devices statistics',
  appCrashes: 'issues errors exceptions bugs',
  appSymbols: 'dsym mapping proguard source maps symbolication',
  appFunnel: 'conversion',
  appLogFlow: 'logs live',
  appReleases: 'distribute versions upload download install',
  appGroups: 'testers',
  appDeployments: 'over the air updates ota',
  appBuilds: 'ci builds history',
  appBranches: 'ci branches',
  appUsers: 'people team collaborators access',
  appTracker: 'jira github gitlab azure devops tickets',
  appNotifications: 'email',
  appAnalyticsSetUp: 'install add sdk app secret dsn',
  appSettings: 'rename delete icon transfer',
  orgPeople: 'users members',
  adminServer: 'configuration',
  profile: 'name password avatar',
  tokens: 'api keys',
};

interface PageList {
  groups: SectionGroup[];
  caller: Caller;
  params: Record<string, string>;
  /** Name of the area, app or organization. */
  subject: string;
}

/** Pages of an area, with its tabs. */
function listPages({ groups, caller, params, subject }: PageList): Candidate[] {
  const toPage = (entry: Entry, { icon: Icon }: Section, label: string, detail: string): Candidate => ({
    id: `page ${entry.page} ${Object.values(entry.query ?? {}).join(' ')}`,
    label,
    detail,
    keywords: keywords[entry.page] ?? '',
    to: getEntryPath(entry, params),
    icon: <Icon size={16} stroke={1.6} />,
  });
  return groups
    .flatMap(({ sections }) => sections)
    .flatMap((section) => {
      if (!('tabs' in section))
        return canOpen(section, caller) ? [toPage(section, section, section.label, subject)] : [];
      const [first, ...others] = section.tabs.filter((tab) => canOpen(tab, caller));
      if (!first) return [];
      const page = toPage(first, section, section.label, subject);
      return [
        { ...page, keywords: `${first.label} ${page.keywords}` },
        ...others.map((tab) => toPage(tab, section, tab.label, `${section.label} · ${subject}`)),
      ];
    });
}

/** Pages of the area in view; outside of an app, also those of the app that the user visited last. */
export function usePages(): { here: Candidate[]; elsewhere: Candidate[] } {
  const current = useCurrentPage();
  const { id, is_admin } = useCurrentUser();
  const caller = is_admin ? 'administrator' : 'user';
  const others = [home, health, administration, settings].filter((area) => area !== current.area);
  return {
    here: current.caller
      ? listPages({
          groups: current.area.groups,
          caller: current.caller,
          params: current.params,
          subject: getPageSubject(current)[0] ?? current.area.label,
        })
      : [],
    elsewhere: [
      ...(current.app ? [] : listLastAppPages(id)),
      ...others.flatMap(({ groups, label }) => listPages({ groups, caller, params: {}, subject: label })),
      { id: 'api', label: 'API reference', to: API_REFERENCE, icon: <IconApi size={16} /> },
    ],
  };
}

/** The role of the user is unknown here, so these are the pages that every viewer may open. */
function listLastAppPages(user: string): Candidate[] {
  for (const { to, label } of recentVisits(user)) {
    const params = matchPath(paths.app, to)?.params;
    if (!params?.owners || !params.owner || !params.app) continue;
    const { owners, owner, app } = params;
    return listPages({ groups: appArea.groups, caller: 'app:viewer', params: { owners, owner, app }, subject: label });
  }
  return [];
}
