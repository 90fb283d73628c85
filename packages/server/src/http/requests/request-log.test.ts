import { expect, test } from 'vitest';
import { loggedPath } from './request-log.ts';

const token = 'Zk3v9x1fq7Lr2mT8bYcW5nH0sJdG4aPeUo6iKxVtQyR';

test.each([
  ['/v0.1/user', 'GET /v0.1/user'],
  ['/v0.1/orgs?secret=1', 'GET /v0.1/orgs'],
  [`/v0.1/user/invitations/orgs/${token}/accept`, 'GET /v0.1/user/invitations/orgs/…/accept'],
  [`/invitations/app/${token}?from=mail`, 'GET /invitations/app/…'],
  [`/v0.1/api_tokens/moor_u_${token.slice(0, 36)}`, 'GET /v0.1/api_tokens/…'],
  [`/v0.1/apps/ada/moor_a_${token.slice(0, 36)}/users`, 'GET /v0.1/apps/ada/…/users'],
  [`/v0.1/oauth/consents/eyJh.${token}.x`, 'GET /v0.1/oauth/consents/…'],
  [
    '/v0.1/api_tokens/0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44',
    'GET /v0.1/api_tokens/0198c7a4-0a80-7d10-8d7e-0c1b7a6f5e44',
  ],
])('logs %s as %s', (url, logged) => {
  expect(loggedPath({ method: 'GET', url })).toBe(logged);
});
