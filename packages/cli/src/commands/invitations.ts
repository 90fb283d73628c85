import {
  appInvitations_accept,
  appInvitations_create,
  appInvitations_delete,
  appInvitations_list,
  appInvitations_reject,
  appInvitations_updatePermissions,
  invitationSorts,
  invitations_get,
  invitations_sent,
  type OrgRole,
  orgInvitations_accept,
  orgInvitations_create,
  orgInvitations_listPending,
  orgInvitations_reject,
  orgInvitations_revoke,
  orgInvitations_sendNewInvitation,
  orgInvitations_update,
  orgRoles,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { arrangementOf, listOptions, operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { findTarget, getTarget } from '../targets.ts';
import { appRefOf } from './apps.ts';

const where = {
  org: { value: 'NAME', summary: 'The organization' },
  app: { value: 'OWNER/APP', summary: 'The app' },
} as const;
const email = { summary: 'E-mail of whoever is invited' } as const;
const link = { summary: 'The link in the mail' } as const;
const roleSummary = 'On an app, admin, collaborator and member mean manager, developer and viewer';

const permissionOf = { admin: 'manager', collaborator: 'developer', member: 'viewer' } as const satisfies Record<
  OrgRole,
  string
>;

interface Row {
  email: string;
  to: string;
  as?: string;
  expires_at: string;
}

const columns: Column<Row>[] = [
  { header: 'E-MAIL', value: (row) => row.email },
  { header: 'TO', value: (row) => row.to },
  { header: 'AS', value: (row) => row.as },
  { header: 'EXPIRES', value: (row) => row.expires_at, isTime: true },
];

/** The kind and the token that the link of an invitation ends with. */
export function readLink(text: string): { kind: 'org' | 'app'; invitation_token: string } {
  const [, kind, invitation_token] = /(?:^|\/)(org|app)\/(\w+)\/?$/.exec(text) ?? [];
  if (!kind || !invitation_token) {
    throw wrongUsage(`"${text}" is not the link of an invitation.`, 'It ends with /org/ or /app/ and a token.');
  }
  return { kind: kind as 'org' | 'app', invitation_token };
}

export const invitationCommands = [
  command({
    name: 'invitations list',
    summary: 'Lists invitations that are not answered: those that you sent, or those to an organization or app',
    options: { ...where, ...listOptions(invitationSorts) },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const query = arrangementOf(options);
      if (!target && Object.keys(query).length > 0) {
        throw wrongUsage('Those that you sent are neither searched nor sorted.', 'Give --org or --app.');
      }
      const { call } = connect();
      if (!target) {
        const sent = await call(invitations_sent);
        const rows = sent.map(
          (one): Row => ({ ...one, to: one.app ? appRefOf(one.app) : (one.organization?.name ?? '') }),
        );
        out.table(sent, rows, columns);
      } else if ('app' in target) {
        const open = await call(appInvitations_list, { params: target.app, query });
        const rows = open.map((one): Row => ({ ...one, to: appRefOf(one.app), as: one.permissions.join(', ') }));
        out.table(open, rows, columns);
      } else {
        const open = await call(orgInvitations_listPending, { params: target.org, query });
        const rows = open.map((one): Row => ({ ...one, to: target.org.org_name, as: one.role }));
        out.table(open, rows, columns);
      }
    },
  }),
  command({
    name: 'invitations create',
    summary: 'Invites somebody to an organization or an app, by e-mail; again sends a new link',
    arguments: { email },
    options: { ...where, role: { value: 'ROLE', summary: roleSummary, choices: orgRoles } },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const body = { user_email: args.email, role: options.role };
      const { call } = connect();
      if ('app' in target) await call(appInvitations_create, { params: target.app, body });
      else await call(orgInvitations_create, { params: target.org, body });
      out.note(`The invitation of ${args.email} is on its way.`);
    },
  }),
  command({
    name: 'invitations update',
    summary: 'Changes what an invitation gives; its link stays',
    arguments: { email },
    options: { ...where, role: { value: 'ROLE', summary: roleSummary, choices: orgRoles, required: true } },
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const { call } = connect();
      if ('app' in target) {
        const params = { ...target.app, user_email: args.email };
        await call(appInvitations_updatePermissions, { params, body: { permissions: [permissionOf[options.role]] } });
      } else {
        const params = { ...target.org, email: args.email };
        await call(orgInvitations_update, { params, body: { role: options.role } });
      }
      out.note(`The invitation of ${args.email} is changed.`);
    },
  }),
  operation({
    name: 'invitations resend',
    endpoint: orgInvitations_sendNewInvitation,
    summary: 'Sends an invitation to an organization again, with a new link',
    arguments: { email },
    options: { org: { ...where.org, required: true } },
    input: ({ args, options }) => ({ params: { org_name: options.org, email: args.email } }),
    done: ({ args }) => `A new link for ${args.email} is on its way; the old one no longer works.`,
  }),
  command({
    name: 'invitations revoke',
    summary: 'Takes an invitation back; its link no longer works',
    arguments: { email },
    options: where,
    async run({ args, options, out, connect }) {
      const target = getTarget(options);
      const { call } = connect();
      if ('app' in target) await call(appInvitations_delete, { params: { ...target.app, user_email: args.email } });
      else await call(orgInvitations_revoke, { params: { ...target.org, email: args.email } });
      out.note(`The invitation of ${args.email} is taken back.`);
    },
  }),
  operation({
    name: 'invitations show',
    endpoint: invitations_get,
    arguments: { link },
    input: ({ args }) => ({ params: readLink(args.link) }),
    columns: [
      { header: 'TO', value: (offer) => offer.target },
      { header: 'AS', value: (offer) => offer.role },
      { header: 'E-MAIL', value: (offer) => offer.email },
      { header: 'INVITED BY', value: (offer) => offer.invited_by },
      { header: 'EXPIRES', value: (offer) => offer.expires_at, isTime: true },
    ],
  }),
  command({
    name: 'invitations accept',
    summary: 'Accepts an invitation that was sent to you',
    arguments: { link },
    async run({ args, out, connect }) {
      const { kind, invitation_token } = readLink(args.link);
      const params = { invitation_token };
      const { call } = connect();
      await (kind === 'org' ? call(orgInvitations_accept, { params }) : call(appInvitations_accept, { params }));
      out.note('Accepted.');
    },
  }),
  command({
    name: 'invitations reject',
    summary: 'Declines an invitation that was sent to you',
    arguments: { link },
    async run({ args, out, connect }) {
      const { kind, invitation_token } = readLink(args.link);
      const params = { invitation_token };
      const { call } = connect();
      await (kind === 'org' ? call(orgInvitations_reject, { params }) : call(appInvitations_reject, { params }));
      out.note('Declined.');
    },
  }),
];
