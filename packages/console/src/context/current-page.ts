import { type AppPermission, type Caller, mayCall } from '@mooring/contract';
import { createContext, useContext } from 'react';
import type { App } from '../api/apps.ts';
import type { Org } from '../api/organizations/orgs.ts';
import { type Area, type Entry, getEntries, type Load, type Section } from '../areas/area.ts';
import { fill, paths, withQuery } from '../paths.ts';

/** Route metadata. */
export interface RouteHandle {
  load?: Load;
  area?: Area;
  /** Entry of the page. */
  section?: Section;
  entry?: Entry;
  /** True for pages below the entry's own page. */
  isBelow?: boolean;
}

/** The current page, for sidebar, switcher and title. */
export interface CurrentPage {
  area: Area;
  section: Section | undefined;
  entry: Entry | undefined;
  isBelow: boolean;
  /** URL parameters of the area. */
  params: Record<string, string>;
  /** The user's role; undefined until the app or organization is loaded. */
  caller: Caller | undefined;
  app?: App;
  org?: Pick<Org, 'name' | 'display_name' | 'avatar_url'>;
}

export const CurrentPageContext = createContext<CurrentPage | undefined>(undefined);

export function useCurrentPage(): CurrentPage {
  const current = useContext(CurrentPageContext);
  if (!current) throw new Error('This page is not below SignedIn.');
  return current;
}

export const getAppPermission = ({ member_permissions }: App): AppPermission => member_permissions?.[0] ?? 'tester';

export const canOpen = (entry: Entry, caller: Caller): boolean => mayCall(entry.needs, caller, 'all');

/** First page of a section that the user may open, if any. */
export const findOpenEntry = (section: Section, caller: Caller): Entry | undefined =>
  getEntries(section).find((entry) => canOpen(entry, caller));

export interface OpenSection {
  section: Section;
  to: string;
}

export interface OpenGroup {
  heading: string | undefined;
  sections: OpenSection[];
}

/** Sidebar sections that the user may use, by group. */
export function listOpenGroups({ area, caller, params }: Pick<CurrentPage, 'area' | 'caller' | 'params'>): OpenGroup[] {
  if (!caller) return [];
  return area.groups
    .map(({ heading, sections }) => ({
      heading,
      sections: sections.flatMap((section) => {
        const entry = findOpenEntry(section, caller);
        return entry ? [{ section, to: getEntryPath(entry, params) }] : [];
      }),
    }))
    .filter(({ sections }) => sections.length > 0);
}

/** URL of an entry in the current area. */
export const getEntryPath = ({ page, query = {} }: Entry, params: Record<string, string>): string =>
  withQuery(fill(paths[page], params), query);

/** Subject of the page, for its title. */
export function getPageSubject({ area, app: here, org: owner }: CurrentPage): string[] {
  if (here) return [`${here.display_name} (${here.os})`];
  if (owner) return [owner.display_name];
  return area.isSubject ? [area.label] : [];
}

/** Pages above this one in its area, outermost first. */
export function getBreadcrumbs(current: CurrentPage): { to: string; label: string }[] {
  const { section, entry, caller, params, isBelow } = current;
  if (!section || !caller) return [];
  const first = findOpenEntry(section, caller);
  const steps = first ? [{ to: getEntryPath('page' in section ? section : first, params), label: section.label }] : [];
  const tab = 'tabs' in section ? section.tabs.find((one) => one === entry) : undefined;
  return isBelow && tab ? [...steps, { to: getEntryPath(tab, params), label: tab.label }] : steps;
}
