import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { TestApp } from './app.ts';

const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const scimHome = '/scim/v2/lighthouse';

type Send = (method: string, path: string, body?: object, token?: string) => Promise<LightMyRequestResponse>;

/** Ada administers the server and lighthouse, which has a domain and a SCIM token; Eve leads another organization. */
export async function createDirectory(app: TestApp) {
  const [ada, eve, grace] = [
    await app.addUser('ada', { isAdmin: true }),
    await app.addUser('eve'),
    await app.addUser('grace'),
  ];
  const [org, other] = [await app.addOrg(ada, 'lighthouse'), await app.addOrg(eve, 'pirates')];
  await app.addToOrg(org, grace, 'collaborator');
  const tokens = { ada: await app.userToken(ada), eve: await app.userToken(eve), grace: await app.userToken(grace) };
  const domains = { domains: ['Lighthouse.example'] };
  const set = await app.call('PUT', '/v0.1/admin/orgs/lighthouse/domains', { token: tokens.ada, body: domains });
  expect(set.json()).toEqual({ domains: ['lighthouse.example'] });
  const create = async (name: string, token: string) =>
    (await app.call('POST', `/v0.1/orgs/${name}/provisioning/tokens`, { token, body: {} })).json().scim_token as string;
  const [scim, foreign] = [await create('lighthouse', tokens.ada), await create('pirates', tokens.eve)];
  const send: Send = (method, path, body, token = scim) =>
    app.call(method, `${scimHome}${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/scim+json' } : {}) },
      ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    });
  const add = async (name: string, more: object = {}) => {
    const email = `${name}@lighthouse.example`;
    const body = { userName: email, emails: [{ value: email, type: 'work', primary: true }], ...more };
    const response = await send('POST', '/Users', body);
    expect([response.statusCode, response.body]).toEqual([201, expect.any(String)]);
    return response.json() as { id: string; userName: string; active: boolean };
  };
  const patch = (path: string, ...Operations: object[]) => send('PATCH', path, { schemas: [PATCH], Operations });
  return { ada, eve, grace, org, other, tokens, scim, foreign, send, add, patch };
}

export const findAccountByEmail = async (app: TestApp, email: string) =>
  (
    await app.database.query((q) =>
      q
        .selectFrom('users')
        .innerJoin('owners', 'owners.id', 'users.id')
        .select([
          'users.id',
          'owners.name',
          'owners.display_name',
          'users.email',
          'users.is_disabled',
          'users.is_email_verified',
        ])
        .where('users.email_key', '=', email),
    )
  )[0];
