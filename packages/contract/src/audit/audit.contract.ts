import { endpoint, json } from '../endpoint/index.ts';
import { AppPath, OrgPath, Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

export const AuditEvent = Type.Object(
  {
    id: Uuid,
    at: Time,
    action: Type.String(),
    actor: Type.Object({
      kind: Type.Enum(['user', 'app', 'anonymous', 'system']),
      user_id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      credential: Type.Optional(
        Type.Enum(['token', 'session', 'oauth', 'password'], { description: 'By what they were known.' }),
      ),
      token_id: Type.Optional(Type.String()),
      client_id: Type.Optional(Type.String({ description: 'The client that acted for them by OAuth.' })),
    }),
    subject: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.Optional(Type.String()) }),
    address: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String()),
    before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'AuditEvent', description: 'One change: who, what, when, from where. Never a secret.' },
);

/** How many changes a search looks through: it must not take longer the longer a server has been there. */
export const AUDIT_SEARCHED = 20_000;

const AuditQuery = Type.Object({
  ...listQuery(
    ['at'],
    `actions, who did it and what it is about, among the newest ${AUDIT_SEARCHED} that the filters leave`,
  ),
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

export const adminAudit_list = endpoint({
  id: 'adminAudit_list',
  method: 'GET',
  path: '/v0.1/admin/audit',
  tag: 'administration',
  summary: 'Lists every change made on this server, newest first',
  access: 'admin',
  effect: 'read',
  query: AuditQuery,
  response: json(Page(AuditEvent), { description: 'A page of changes.' }),
});

export const orgAudit_list = endpoint({
  id: 'orgAudit_list',
  method: 'GET',
  path: '/v0.1/orgs/{org_name}/audit',
  tag: 'organizations',
  summary: 'Lists the changes to an organization and its apps, newest first',
  access: 'org:admin',
  effect: 'read',
  params: Type.Object(OrgPath),
  query: AuditQuery,
  response: json(Page(AuditEvent), { description: 'A page of changes.' }),
  errors: [404],
});

export const appAudit_list = endpoint({
  id: 'appAudit_list',
  method: 'GET',
  path: '/v0.1/apps/{owner_name}/{app_name}/audit',
  tag: 'apps',
  summary: 'Lists the changes to an app, newest first',
  access: 'app:manager',
  effect: 'read',
  params: Type.Object(AppPath),
  query: AuditQuery,
  response: json(Page(AuditEvent), { description: 'A page of changes.' }),
  errors: [404],
});
