import { type AppPermission, type Caller, mayCall } from '@mooring/contract';
import { createContext, useContext } from 'react';
import type { App } from '../api/apps.ts';
import type { Org } from '../api/orgs.ts';
import { type Area, type Entry, entriesOf, type Load, type Section } from '../areas/area.ts';
import { fill, paths, withQuery } from '../paths.ts';

/** What a route says of itself. */
export interface RouteHandle {
  load?: Load;
  area?: Area;
  /** The entry that it belongs to. */
  section?: Section;
  entry?: Entry;
  /** The page lies below that of the entry. */
  isBelow?: boolean;
}

/** Where the reader is: what the sidebar, the switcher and the title of the page show. */
export interface CurrentPage {
  area: Area;
  section: Section | undefined;
  entry: Entry | undefined;
  isBelow: boolean;
  /** What addresses of the area are filled in with. */
  params: Record<string, string>;
  /** What the reader is here; not known before the app or organization was read. */
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

export const permissionOn = ({ member_permissions }: App): AppPermission => member_permissions?.[0] ?? 'tester';

export const mayOpen = (entry: Entry, caller: Caller): boolean => mayCall(entry.needs, caller, 'all');

/** The first page of a section that the reader may open, if there is one. */
export const firstOpen = (section: Section, caller: Caller): Entry | undefined =>
  entriesOf(section).find((entry) => mayOpen(entry, caller));

export interface OpenSection {
  section: Section;
  to: string;
}

export interface OpenGroup {
  heading: string | undefined;
  sections: OpenSection[];
}

/** What the sidebar shows: the sections that the reader may use, by group. */
export function openGroups({ area, caller, params }: Pick<CurrentPage, 'area' | 'caller' | 'params'>): OpenGroup[] {
  if (!caller) return [];
  return area.groups
    .map(({ heading, sections }) => ({
      heading,
      sections: sections.flatMap((section) => {
        const entry = firstOpen(section, caller);
        return entry ? [{ section, to: pathOf(entry, params) }] : [];
      }),
    }))
    .filter(({ sections }) => sections.length > 0);
}

/** The address of an entry of the area that the reader is in. */
export const pathOf = ({ page, query = {} }: Entry, params: Record<string, string>): string =>
  withQuery(fill(paths[page], params), query);

/** What the page is about, for its title. */
export function subjectOf({ area, app: here, org: owner }: CurrentPage): string[] {
  if (here) return [`${here.display_name} (${here.os})`];
  if (owner) return [owner.display_name];
  return area.isSubject ? [area.label] : [];
}

/** The pages above this one in its area, outermost first. */
export function breadcrumbsOf(current: CurrentPage): { to: string; label: string }[] {
  const { section, entry, caller, params, isBelow } = current;
  if (!section || !caller) return [];
  const first = firstOpen(section, caller);
  const steps = first ? [{ to: pathOf('page' in section ? section : first, params), label: section.label }] : [];
  const tab = 'tabs' in section ? section.tabs.find((one) => one === entry) : undefined;
  return isBelow && tab ? [...steps, { to: pathOf(tab, params), label: tab.label }] : steps;
}
