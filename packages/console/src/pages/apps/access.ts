import type { AppAccess } from '../../api/apps.ts';
import { inWords } from '../../parts/role-words.ts';

type Way = AppAccess['via'][number];

/** The role that somebody has on the app itself, which can be changed here. */
export const directRole = ({ via }: AppAccess) => via.find(({ kind }) => kind === 'direct')?.permission;

/** Whoever owns the app stays its manager, and what a team or the organization gives is changed there. */
export const canChange = (access: AppAccess): boolean => !access.is_owner && directRole(access) !== undefined;

function wayInWords({ kind, display_name, name }: Way, isOwner: boolean): string {
  if (kind === 'direct') return isOwner ? 'Owner' : 'Direct';
  return kind === 'team' ? `Team ${display_name ?? name}` : 'Organization admin';
}

/** By what somebody has access, with the role of each way that gives less than they have. */
export const viaInWords = ({ via, is_owner, permission }: AppAccess): string =>
  via
    .map((way) => {
      const words = wayInWords(way, is_owner);
      return way.permission === permission ? words : `${words} (${inWords(way.permission)})`;
    })
    .join(', ');
