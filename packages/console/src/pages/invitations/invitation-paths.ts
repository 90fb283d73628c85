import type { InvitationKind, Offer } from '../../api/account/invitations.ts';
import { appPath, INSTALL_PAGES, installPath, paths, pathTo } from '../../paths.ts';

type Target = Pick<Offer, 'app' | 'organization'>;

/** The page with the newest release of an app; without a single app, the list of all. */
export const installPathFor = ({ app }: Target): string => (app ? installPath(app) : INSTALL_PAGES);

/** The page of the console that an invitation opens. */
export function consolePathFor({ app, organization }: Target): string {
  if (app) return appPath(app);
  return organization ? pathTo('org', { org: organization.name }) : paths.home;
}

export const isOnPhone = (agent = navigator.userAgent): boolean => /Android|iPhone|iPad|iPod/.test(agent);

/** The first page after an invitation was accepted: testers, and members of an app on a phone, install it. */
export const firstPath = (kind: InvitationKind, offer: Target, agent?: string): string =>
  kind === 'group' || (kind === 'app' && isOnPhone(agent)) ? installPathFor(offer) : consolePathFor(offer);
