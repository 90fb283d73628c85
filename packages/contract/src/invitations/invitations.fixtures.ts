import type { Client } from '../client.ts';
import { type FixtureServer, type Fixtures, putId } from '../fixtures/fixtures.ts';
import { createLinkReader } from '../mail/mails.fixtures.ts';
import type { OrgRole } from '../permissions.ts';
import {
  appInvitations_accept,
  appInvitations_create,
  invitations_signUp,
  orgInvitations_accept,
  orgInvitations_create,
} from './invitations.contract.ts';

type LinkTo = NonNullable<FixtureServer['linkTo']>;

/** The token in the newest invitation that was emailed to an address. */
export async function invitationTo(linkTo: LinkTo, email: string, kind: 'org' | 'app'): Promise<string> {
  const link = await linkTo(email, `/invitations/${kind}/`);
  return link?.split('/').at(-1) ?? 'none';
}

export interface Joining {
  /** The inviting organization or app. */
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

/** Grace has joined lighthouse and an app of Ada; Linus has joined an app of lighthouse. */
export async function addMembers({ server, ada, grace, linus }: Fixtures): Promise<void> {
  const linkTo = server.linkTo ?? createLinkReader(ada.call);
  await joinOrg(linkTo, 'lighthouse', { host: ada.call, guest: grace, role: 'collaborator' });
  await joinApp(linkTo, needle, { host: ada.call, guest: grace, role: 'collaborator' });
  await joinApp(linkTo, compass, { host: ada.call, guest: linus, role: 'member' });
}

/** Pending invitations: of a new user, and of Ada to an organization of Grace. */
export async function addInvitations(fixtures: Fixtures): Promise<void> {
  const { server, ada, grace } = fixtures;
  const linkTo = server.linkTo ?? createLinkReader(ada.call);
  const newcomer = { user_email: 'new@example.com', role: 'collaborator' } as const;
  await ada.call(orgInvitations_create, { params: lighthouse, body: newcomer });
  for (const params of [needle, compass]) await ada.call(appInvitations_create, { params, body: newcomer });
  await grace.call(orgInvitations_create, { params: { org_name: 'jetty' }, body: { user_email: ada.email } });
  await grace.call(appInvitations_create, { params: sextant, body: { user_email: ada.email } });
  putId(fixtures, invitations_signUp, 'invitation_token', await invitationTo(linkTo, newcomer.user_email, 'org'));
  putId(fixtures, orgInvitations_accept, 'invitation_token', await invitationTo(linkTo, ada.email, 'org'));
  putId(fixtures, appInvitations_accept, 'invitation_token', await invitationTo(linkTo, ada.email, 'app'));
}
