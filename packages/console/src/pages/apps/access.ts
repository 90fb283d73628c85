import type { AppAccess } from '../../api/apps.ts';
import { formatRole } from '../../components/text/role-labels.ts';

type Way = AppAccess['via'][number];

/** The direct role, which this page can change. */
export const directRole = ({ via }: AppAccess) => via.find(({ kind }) => kind === 'direct')?.permission;

/** Owners stay managers, and roles from a team or the organization are changed there. */
export const canChange = (access: AppAccess): boolean => !access.is_owner && directRole(access) !== undefined;

function formatWay({ kind, display_name, name }: Way, isOwner: boolean): string {
  if (kind === 'direct') return isOwner ? 'Owner' : 'Direct';
  return kind === 'team' ? `Team ${display_name ?? name}` : 'Organization admin';
}

/** Describes the sources of a user's access, with the role of each weaker one. */
export const formatAccess = ({ via, is_owner, permission }: AppAccess): string =>
  via
    .map((way) => {
      const label = formatWay(way, is_owner);
      return way.permission === permission ? label : `${label} (${formatRole(way.permission)})`;
    })
    .join(', ');
