import type { EndpointSpec } from '@mooring/contract';
import type { TablerIcon } from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PageName } from '../paths.ts';

export type Load = () => Promise<{ default: ComponentType }>;

/** A page and the operation that its user must be allowed to call. */
export interface Entry {
  page: PageName;
  needs: EndpointSpec;
  /** Undefined if the page belongs to another area. */
  load?: Load;
  /** Query of this entry, where several entries share one page. */
  query?: Record<string, string>;
  /** Pages linked from this one. */
  below?: { page: PageName; load: Load }[];
}

/** One of several pages that share a sidebar entry. */
export interface Tab extends Entry {
  label: string;
}

interface SidebarEntry {
  label: string;
  icon: TablerIcon;
  /** Number of items that need attention; called as a hook. */
  useBadge?: () => number | undefined;
}

/** A sidebar entry, hidden from users who may not call the operation it needs. */
export type Section = SidebarEntry & (Entry | { tabs: [Tab, ...Tab[]] });

export interface SectionGroup {
  heading?: string;
  sections: Section[];
}

/** Pages that share a sidebar of at most four groups. */
export interface Area {
  label: string;
  /** True if page titles include its name. */
  isSubject?: boolean;
  groups: SectionGroup[];
  /** All other paths of the area. */
  unknown?: PageName;
  /** Pages without a sidebar entry. */
  others?: { page: PageName; load: Load }[];
}

export const getEntries = (section: Section): Entry[] => ('tabs' in section ? section.tabs : [section]);
