import Type from 'typebox';
import { endpoint } from './endpoint.ts';
import { Time, Uuid } from './fields.ts';
import { Page, PageQuery } from './paging.ts';

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

export const adminAudit_list = endpoint({
  id: 'adminAudit_list',
  method: 'GET',
  path: '/v0.1/admin/audit',
  tag: 'administration',
  summary: 'Lists every change made on this server, newest first',
  access: 'admin',
  query: Type.Object(PageQuery),
  success: { status: 200, description: 'A page of changes.', body: Page(AuditEvent) },
  example: {
    query: { limit: 50 },
    response: {
      values: [
        {
          id: '0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44',
          at: '2026-11-01T09:00:00.000Z',
          action: 'api_token.create',
          actor: { kind: 'user', user_id: '0198c7a2-5f10-7c1e-9a53-2f4be3a0b2d7', name: 'ada' },
          subject: { kind: 'api_token', id: '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9b11', name: 'nightly build' },
          address: '127.0.0.1',
          request_id: 'k3v9x-1f',
          after: { kind: 'user', scope: 'viewer', last_four: 'upV1' },
        },
      ],
    },
  },
});
