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
import { appOrOrg, findTarget, getTarget, org } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { listOptions, operation, toListQuery } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { formatAppRef } from './apps.ts';

const filterOptions = {
  org: { value: 'NAME', summary: 'Organization whose invitations to list (default: invitations that you sent)' },
  app: { value: 'OWNER/APP', summary: 'App whose invitations to list (default: invitations that you sent)' },
} as const;
const email = { summary: 'Email of the invited person' } as const;
const link = { summary: 'Link in the invitation email' } as const;
const roleSummary = 'Role; on an app, admin means manager, collaborator means developer, and member means viewer';

const permissionByRole = { admin: 'manager', collaborator: 'developer', member: 'viewer' } as const satisfies Record<
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
  { header: 'EMAIL', value: (row) => row.email },
  { header: 'TO', value: (row) => row.to },
  { header: 'ROLE', value: (row) => row.as },
  { header: 'EXPIRES', value: (row) => row.expires_at, isTime: true },
];

/** Extracts the kind and token from the link of an invitation. */
export function readLink(text: string): { kind: 'org' | 'app'; invitation_token: string } {
  const [, kind, invitation_token] = /(?:^|\/)(org|app)\/(\w+)\/?$/.exec(text) ?? [];
  if (!kind || !invitation_token) {
    throw wrongUsage(`Invalid invitation link: "${text}".`, 'Links end with /org/ or /app/ and a token.');
  }
  return { kind: kind as 'org' | 'app', invitation_token };
}

export const invitationCommands = [
  command({
    name: 'invitations list',
    summary: 'List pending invitations that you sent, or that were sent for an organization or app',
    options: { ...filterOptions, ...listOptions(invitationSorts) },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const query = toListQuery(options);
      if (!target && Object.keys(query).length > 0) {
        throw wrongUsage("Can't search or sort the invitations that you sent.", 'Use --org or --app.');
      }
      const { call } = connect();
      if (!target) {
        const sent = await call(invitations_sent);
        const rows = sent.map(
          (one): Row => ({ ...one, to: one.app ? formatAppRef(one.app) : (one.organization?.name ?? '') }),
        );
        out.table(sent, rows, columns);
      } else if ('app' in target) {
        const open = await call(appInvitations_list, { params: target.app, query });
        const rows = open.map((one): Row => ({ ...one, to: formatAppRef(one.app), as: one.permissions.join(', ') }));
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
    summary: 'Invite a person to an organization or an app by email; a repeated invitation sends a new link',
    arguments: { ...appOrOrg, email },
    options: { role: { value: 'ROLE', summary: `${roleSummary} (default collaborator)`, choices: orgRoles } },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const body = { user_email: args.email, role: options.role };
      const { call } = connect();
      if ('app' in target) await call(appInvitations_create, { params: target.app, body });
      else await call(orgInvitations_create, { params: target.org, body });
      out.note(`Invited ${args.email}.`);
    },
  }),
  command({
    name: 'invitations update',
    summary: 'Change the role of an invitation; its link stays valid',
    arguments: { ...appOrOrg, email },
    options: { role: { value: 'ROLE', summary: roleSummary, choices: orgRoles, required: true } },
    async run({ args, options, out, connect }) {
      const target = getTarget(args);
      const { call } = connect();
      if ('app' in target) {
        const params = { ...target.app, user_email: args.email };
        await call(appInvitations_updatePermissions, {
          params,
          body: { permissions: [permissionByRole[options.role]] },
        });
      } else {
        const params = { ...target.org, email: args.email };
        await call(orgInvitations_update, { params, body: { role: options.role } });
      }
      out.note(`Changed the invitation of ${args.email}.`);
    },
  }),
  operation({
    name: 'invitations resend',
    endpoint: orgInvitations_sendNewInvitation,
    summary: 'Resend an invitation to an organization with a new link',
    arguments: { org, email },
    input: ({ args }) => ({ params: { org_name: args.org, email: args.email } }),
    done: ({ args }) => `Sent a new link to ${args.email}. The old link no longer works.`,
  }),
  command({
    name: 'invitations revoke',
    summary: 'Revoke an invitation and its link',
    arguments: { ...appOrOrg, email },
    async run({ args, out, connect }) {
      const target = getTarget(args);
      const { call } = connect();
      if ('app' in target) await call(appInvitations_delete, { params: { ...target.app, user_email: args.email } });
      else await call(orgInvitations_revoke, { params: { ...target.org, email: args.email } });
      out.note(`Revoked the invitation of ${args.email}.`);
    },
  }),
  operation({
    name: 'invitations show',
    summary: 'Show the organization or app, the role and the email of an invitation',
    endpoint: invitations_get,
    arguments: { link },
    input: ({ args }) => ({ params: readLink(args.link) }),
    columns: [
      { header: 'TO', value: (offer) => offer.target },
      { header: 'ROLE', value: (offer) => offer.role },
      { header: 'EMAIL', value: (offer) => offer.email },
      { header: 'INVITED BY', value: (offer) => offer.invited_by },
      { header: 'EXPIRES', value: (offer) => offer.expires_at, isTime: true },
    ],
  }),
  command({
    name: 'invitations accept',
    summary: 'Accept an invitation',
    arguments: { link },
    async run({ args, out, connect }) {
      const { kind, invitation_token } = readLink(args.link);
      const params = { invitation_token };
      const { call } = connect();
      await (kind === 'org' ? call(orgInvitations_accept, { params }) : call(appInvitations_accept, { params }));
      out.note('Accepted the invitation.');
    },
  }),
  command({
    name: 'invitations reject',
    summary: 'Decline an invitation',
    arguments: { link },
    async run({ args, out, connect }) {
      const { kind, invitation_token } = readLink(args.link);
      const params = { invitation_token };
      const { call } = connect();
      await (kind === 'org' ? call(orgInvitations_reject, { params }) : call(appInvitations_reject, { params }));
      out.note('Declined the invitation.');
    },
  }),
];
