import type { EndpointSpec } from '@mooring/contract';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PageName } from '../paths.ts';

export type Load = () => Promise<{ default: ComponentType }>;

/** A page, and what its reader must be allowed to call. */
export interface Entry {
  page: PageName;
  needs: EndpointSpec;
  /** Left out where the page belongs to another area. */
  load?: Load;
  /** Part of the address of this entry, where several lead to one page. */
  query?: Record<string, string>;
  /** Pages that are reached from this one. */
  below?: { page: PageName; load: Load }[];
}

/** One of a few pages that share an entry of the sidebar. */
export interface Tab extends Entry {
  label: string;
}

interface SidebarEntry {
  label: string;
  icon: TablerIcon;
  /** How many things there want to be looked at; called as a hook. */
  useBadge?: () => number | undefined;
}

/** An entry of the sidebar; who may not call what it needs does not see it. */
export type Section = SidebarEntry & (Entry | { tabs: [Tab, ...Tab[]] });

export interface SectionGroup {
  heading?: string;
  sections: Section[];
}

/** Pages that belong together, and so have one sidebar: at most four groups. */
export interface Area {
  label: string;
  /** Titles of its pages name it. */
  isSubject?: boolean;
  groups: SectionGroup[];
  /** Pages that no entry leads to. */
  others?: { page: PageName; load: Load }[];
}

export const entriesOf = (section: Section): Entry[] => ('tabs' in section ? section.tabs : [section]);
