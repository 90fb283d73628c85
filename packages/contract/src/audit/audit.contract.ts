import Type from 'typebox';
import { endpoint } from '../endpoint/endpoint.ts';
import { AppPath, OrgPath, Time, Uuid } from '../fields.ts';
import { Page, PageQuery } from '../paging.ts';

export const AuditEvent = Type.Object(
  {
    id: Uuid,
    at: Time,
    action: Type.String(),
    actor: Type.Object({
      kind: Type.Enum(['user', 'app', 'anonymous', 'system']),
      user_id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      token_id: Type.Optional(Type.String()),
    }),
    subject: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.Optional(Type.String()) }),
    address: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String()),
    before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'AuditEvent', description: 'One change: who, what, when, from where. Never a secret.' },
);

const AuditQuery = Type.Object({
  ...PageQuery,
  actor: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only what this user did, by name.' })),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)?$',
      description: 'Only this action, or all of one kind: app.update, or app.',
    }),
  ),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only from this time on.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Only before this time.' })),
});

const example = {
  id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44',
  at: '2026-11-01T09:00:00.000Z',
  action: 'api_token.create',
  actor: { kind: 'user', user_id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7', name: 'ada' },
  subject: { kind: 'api_token', id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b11', name: 'nightly build' },
  address: '127.0.0.1',
  request_id: 'k3v9x-1f',
  after: { kind: 'user', scope: 'viewer', last_four: 'upV1' },
};
const page = { values: [example] };
const query = { limit: 50, action: 'api_token' };

export const adminAudit_list = endpoint({
  id: 'adminAudit_list',
  method: 'GET',
  path: '/v0.1/admin/audit',
  tag: 'administration',
  summary: 'Lists every change made on this server, newest first',
  access: 'admin',
  query: AuditQuery,
  success: { status: 200, description: 'A page of changes.', body: Page(AuditEvent) },
  example: { query, response: page },
});

export const orgAudit_list = endpoint({
  id: 'orgAudit_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/audit',
  tag: 'organizations',
  summary: 'Lists the changes to an organization and its apps, newest first',
  access: 'org:admin',
  params: Type.Object(OrgPath),
  query: AuditQuery,
  success: { status: 200, description: 'A page of changes.', body: Page(AuditEvent) },
  errors: [404],
  example: { params: { org_name: 'lighthouse' }, query, response: page },
});

export const appAudit_list = endpoint({
  id: 'appAudit_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/audit',
  tag: 'apps',
  summary: 'Lists the changes to an app, newest first',
  access: 'app:manager',
  params: Type.Object(AppPath),
  query: AuditQuery,
  success: { status: 200, description: 'A page of changes.', body: Page(AuditEvent) },
  errors: [404],
  example: { params: { owner_name: 'ada', app_name: 'compass' }, query, response: page },
});
