import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../context.ts';
import { keyValue } from '../../../db/rows/key-values.ts';
import { tx } from '../../../db/tx.ts';

const tenantId = keyValue('identity.tenant_id');

/** Returns the tenant ID of this server; created when first needed, shared by all processes. */
export async function getTenantId(deps: Deps): Promise<string> {
  return (await tenantId.find(deps.db)) ?? tx(deps, ({ db }) => tenantId.addOrFind(db, randomUUID()));
}

/** The standard requires the discovery document under this URL. */
export const getIssuer = (deps: Pick<Deps, 'publicUrl'>): string => `${deps.publicUrl()}/common`;

const bare = (url: string): string => url.replace(/\/$/, '');

/** The audiences that access tokens can be issued for: clients write URLs with and without the trailing slash. */
export const listAudiences = ({ config, publicUrl }: Pick<Deps, 'config' | 'publicUrl'>): string[] =>
  [publicUrl(), ...config.oauthAudiences].flatMap((url) => [`${bare(url)}/`, bare(url)]);
