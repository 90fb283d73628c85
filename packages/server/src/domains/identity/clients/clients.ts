import { COMMAND_LINE_CLIENT } from '@mooring/contract';
import type { Ctx, Deps } from '../../../context.ts';
import { lock } from '../../../db/locks.ts';
import { tx } from '../../../db/tx.ts';
import { publish } from '../../../jobs/index.ts';
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { auditFields, record } from '../../audit/index.ts';
import { consentEnded } from '../identity.events.ts';
import {
  type ClientRow,
  countClients,
  deleteClientRow,
  findClientRow,
  insertClient,
  listClientRows,
  lockClientRow,
  updateClientRow,
} from './clients.store.ts';
import { deleteClientConsents } from './consents.store.ts';
import { redirectProblem } from './redirect-uris.ts';

const redirectUrisCodec = jsonCodec('oauth_clients.redirect_uris', StringList);

const MAX_CLIENTS = 500;

/** A program that users sign in to. All clients are public: they have no secret. */
export interface Client {
  id: string;
  name: string;
  redirectUris: string[];
  allowsImplicit: boolean;
  isBuiltIn: boolean;
  createdAt: number | undefined;
}

export const SPECIFICATION = '5d0c6f2e-7a41-4c1b-9b57-1f0e4d3a8c20';
export const COMMAND_LINE = COMMAND_LINE_CLIENT;

/** The built-in clients; their redirect URLs are derived from the URL of the server. */
const builtInClients = (publicUrl: string): Client[] => [
  {
    id: SPECIFICATION,
    name: 'Mooring API specification',
    // The page is also served over plain HTTP to this machine.
    redirectUris: ['', 'http://localhost', 'http://127.0.0.1'].map(
      (origin) => `${origin || publicUrl}/docs/oauth2-redirect.html`,
    ),
    allowsImplicit: true,
    isBuiltIn: true,
    createdAt: undefined,
  },
  {
    id: COMMAND_LINE,
    name: 'Mooring command line',
    redirectUris: ['http://localhost/', 'http://127.0.0.1/', 'http://[::1]/'],
    allowsImplicit: false,
    isBuiltIn: true,
    createdAt: undefined,
  },
];

const toClient = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  redirectUris: redirectUrisCodec.parse(row.redirect_uris),
  allowsImplicit: row.allows_implicit === 1,
  isBuiltIn: false,
  createdAt: row.created_at,
});

const toRow = (client: Omit<Client, 'isBuiltIn' | 'createdAt'>) => ({
  id: client.id,
  name: client.name,
  redirect_uris: JSON.stringify(client.redirectUris),
  allows_implicit: client.allowsImplicit ? (1 as const) : (0 as const),
});

const audited = auditFields('name', 'redirectUris', 'allowsImplicit');

export async function listClients(deps: Pick<Deps, 'db' | 'publicUrl'>): Promise<Client[]> {
  return [...builtInClients(deps.publicUrl()), ...(await listClientRows.all(deps.db)).map(toClient)];
}

const findBuiltIn = (deps: Pick<Deps, 'publicUrl'>, id: string): Client | undefined =>
  builtInClients(deps.publicUrl()).find((client) => client.id === id);

export async function findClient(deps: Pick<Deps, 'db' | 'publicUrl'>, id: string): Promise<Client | undefined> {
  const key = id.toLowerCase();
  const builtIn = findBuiltIn(deps, key);
  if (builtIn || !/^[0-9a-f-]{36}$/.test(key)) return builtIn;
  const row = await findClientRow.first(deps.db, { id: key });
  return row && toClient(row);
}

export interface NewClient {
  name: string;
  redirectUris: string[];
  allowsImplicit?: boolean;
}

function refuseBadUris(uris: readonly string[]): void {
  for (const uri of uris) {
    const problem = redirectProblem(uri);
    if (problem) throw badRequest(`redirect_uris: "${uri}" must ${problem}.`);
  }
}

export async function createClient(ctx: Ctx, input: NewClient): Promise<Client> {
  refuseBadUris(input.redirectUris);
  const client: Client = {
    id: ctx.newId(),
    name: input.name.trim(),
    redirectUris: input.redirectUris,
    allowsImplicit: input.allowsImplicit ?? false,
    isBuiltIn: false,
    createdAt: ctx.clock.now(),
  };
  await tx(ctx, async (ctx) => {
    await lock(ctx, 'oauth-clients');
    if (((await countClients.first(ctx.db))?.count ?? 0) >= MAX_CLIENTS) {
      throw conflict(`This server already has ${MAX_CLIENTS} clients, the maximum. Delete one first.`);
    }
    await insertClient.run(ctx.db, { ...toRow(client), created_at: ctx.clock.now() });
    const subject = { kind: 'oauth_client', id: client.id, name: client.name } as const;
    await record(ctx, 'oauth_client.create', subject, { after: audited(client) });
  });
  return client;
}

/** Locks the client, so that no consent is stored while it is changed or deleted. */
async function lockClient(ctx: Ctx, id: string): Promise<Client> {
  const key = id.toLowerCase();
  if (findBuiltIn(ctx, key)) throw conflict('This client is built into the server and cannot be changed or deleted.');
  const row = await lockClientRow.first(ctx.db, { id: key });
  if (!row) throw notFound('OAuth client', id);
  return toClient(row);
}

export async function updateClient(ctx: Ctx, id: string, change: Partial<NewClient>): Promise<Client> {
  refuseBadUris(change.redirectUris ?? []);
  return tx(ctx, async (ctx) => {
    const before = await lockClient(ctx, id);
    const after: Client = {
      ...before,
      name: change.name?.trim() ?? before.name,
      redirectUris: change.redirectUris ?? before.redirectUris,
      allowsImplicit: change.allowsImplicit ?? before.allowsImplicit,
    };
    await updateClientRow.run(ctx.db, toRow(after));
    const subject = { kind: 'oauth_client', id: after.id, name: after.name } as const;
    await record(ctx, 'oauth_client.update', subject, { before: audited(before), after: audited(after) });
    return after;
  });
}

/** Deleting a client deletes its consents, which invalidates its access tokens. */
export const deleteClient = (ctx: Ctx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const client = await lockClient(ctx, id);
    await deleteClientConsents.run(ctx.db, { clientId: client.id });
    await publish(ctx, consentEnded, { clientId: client.id });
    await deleteClientRow.run(ctx.db, { id: client.id });
    const subject = { kind: 'oauth_client', id: client.id, name: client.name } as const;
    await record(ctx, 'oauth_client.delete', subject, { before: audited(client) });
  });
