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
      kind: Type.Enum(['user', 'app', 'directory', 'anonymous', 'system']),
      user_id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      credential: Type.Optional(
        Type.Enum(['token', 'session', 'oauth', 'password'], { description: 'How the actor authenticated.' }),
      ),
      token_id: Type.Optional(Type.String()),
      client_id: Type.Optional(Type.String({ description: 'The OAuth client that acted for the user.' })),
    }),
    subject: Type.Object({ kind: Type.String(), id: Type.String(), name: Type.Optional(Type.String()) }),
    address: Type.Optional(Type.String()),
    request_id: Type.Optional(Type.String()),
    before: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  {
    $id: 'AuditEvent',
    description:
      'One change: its actor, subject and time, the IP address, and the values before and after. Contains no secrets.',
  },
);

/** Limits a search to the newest changes, so that its time does not grow with the age of the server. */
export const AUDIT_SEARCHED = 20_000;

const AuditQuery = Type.Object({
  ...listQuery(['at'], `the action, actor and subject of the newest ${AUDIT_SEARCHED} changes that match the filters`),
  actor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Only changes by this user, by name.' }),
  ),
  action: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z_]+)?$',
      description: 'Only this action, such as `app.update`, or all actions of a kind, such as `app`.',
    }),
  ),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only changes at or after this time.' })),
  until: Type.Optional(Type.String({ format: 'date-time', description: 'Only changes before this time.' })),
});

export const adminAudit_list = endpoint({
  id: 'adminAudit_list',
  method: 'GET',
  path: '/v0.1/admin/audit',
  tag: 'administration',
  summary: 'List all changes on this server, newest first',
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
  summary: 'List the changes to an organization and its apps, newest first',
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
  summary: 'List the changes to an app, newest first',
  access: 'app:manager',
  effect: 'read',
  params: Type.Object(AppPath),
  query: AuditQuery,
  response: json(Page(AuditEvent), { description: 'A page of changes.' }),
  errors: [404],
});
