import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../context.ts';
import { keyValue } from '../../../db/key-values.ts';
import { tx } from '../../../db/tx.ts';

const tenantId = keyValue('identity.tenant_id');

/** The id of this server among identity providers: made at the first need, the same for every process. */
export async function getTenantId(deps: Deps): Promise<string> {
  return (await tenantId.find(deps.db)) ?? tx(deps, ({ db }) => tenantId.addOrFind(db, randomUUID()));
}

/** Under this address stands the discovery document, as the standard wants it. */
export const issuerOf = (deps: Pick<Deps, 'publicUrl'>): string => `${deps.publicUrl()}/common`;

const bare = (url: string): string => url.replace(/\/$/, '');

/** Whom a token of this server may be made for: clients write addresses with and without the slash. */
export const audiencesOf = ({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): string[] =>
  [publicUrl(), ...config.oauthAudiences].flatMap((url) => [`${bare(url)}/`, bare(url)]);
