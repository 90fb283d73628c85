import type { Client } from '../client.ts';
import { linksOf } from '../mail/mails.world.ts';
import type { OrgRole } from '../permissions.ts';
import { putId, type World, type WorldServer } from '../world/world.ts';
import {
  appInvitations_accept,
  appInvitations_create,
  invitations_signUp,
  orgInvitations_accept,
  orgInvitations_create,
} from './invitations.contract.ts';

type LinkTo = NonNullable<WorldServer['linkTo']>;

/** The secret in the newest invitation that was mailed to somebody. */
export async function invitationTo(linkTo: LinkTo, email: string, kind: 'org' | 'app'): Promise<string> {
  const link = await linkTo(email, `/invitations/${kind}/`);
  return link?.split('/').at(-1) ?? 'none';
}

export interface Joining {
  /** Who invites. */
  host: Client;
  guest: { email: string; call: Client };
  role: OrgRole;
}

export async function joinOrg(linkTo: LinkTo, org_name: string, { host, guest, role }: Joining): Promise<void> {
  await host(orgInvitations_create, { params: { org_name }, body: { user_email: guest.email, role } });
  const invitation_token = await invitationTo(linkTo, guest.email, 'org');
  await guest.call(orgInvitations_accept, { params: { invitation_token }, body: {} });
}

export async function joinApp(
  linkTo: LinkTo,
  app: { owner_name: string; app_name: string },
  { host, guest, role }: Joining,
): Promise<void> {
  await host(appInvitations_create, { params: app, body: { user_email: guest.email, role } });
  const invitation_token = await invitationTo(linkTo, guest.email, 'app');
  await guest.call(appInvitations_accept, { params: { invitation_token }, body: {} });
}

const lighthouse = { org_name: 'lighthouse' };
const needle = { owner_name: 'ada', app_name: 'compass' };
const compass = { owner_name: 'lighthouse', app_name: 'compass' };
const sextant = { owner_name: 'grace', app_name: 'sextant' };

/** Grace has joined lighthouse and an app of ada, linus one of lighthouse. */
export async function addMembers({ server, ada, grace, linus }: World): Promise<void> {
  const linkTo = server.linkTo ?? linksOf(ada.call);
  await joinOrg(linkTo, 'lighthouse', { host: ada.call, guest: grace, role: 'collaborator' });
  await joinApp(linkTo, needle, { host: ada.call, guest: grace, role: 'collaborator' });
  await joinApp(linkTo, compass, { host: ada.call, guest: linus, role: 'member' });
}

/** A newcomer, and ada at grace's, have not answered yet. */
export async function addInvitations(world: World): Promise<void> {
  const { server, ada, grace } = world;
  const linkTo = server.linkTo ?? linksOf(ada.call);
  const newcomer = { user_email: 'new@example.com', role: 'collaborator' } as const;
  await ada.call(orgInvitations_create, { params: lighthouse, body: newcomer });
  for (const params of [needle, compass]) await ada.call(appInvitations_create, { params, body: newcomer });
  await grace.call(orgInvitations_create, { params: { org_name: 'jetty' }, body: { user_email: ada.email } });
  await grace.call(appInvitations_create, { params: sextant, body: { user_email: ada.email } });
  putId(world, invitations_signUp, 'invitation_token', await invitationTo(linkTo, newcomer.user_email, 'org'));
  putId(world, orgInvitations_accept, 'invitation_token', await invitationTo(linkTo, ada.email, 'org'));
  putId(world, appInvitations_accept, 'invitation_token', await invitationTo(linkTo, ada.email, 'app'));
}
