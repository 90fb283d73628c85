import { readFileSync } from 'node:fs';
import { SECRET_MASK } from '@mooring/contract';
import type { Ctx, Deps } from '../../../context.ts';
import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, StringList } from '../../../kernel/text/json-codec.ts';
import { issuerProblem } from '../../../outbound/issuer-url.ts';
import { auditFields, record } from '../../audit/index.ts';
import { deleteProviderMappings } from '../groups/group-mappings.store.ts';
import { findProviderRule } from '../rules/rules.store.ts';
import type { IdentityProvidersTable } from '../sign-in.tables.ts';
import {
  deleteProviderRow,
  findProviderRow,
  insertProvider,
  listProviderRows,
  lockProviderRow,
  updateProviderRow,
} from './providers.store.ts';

const PURPOSE = 'identity-provider';
const MAX_PROVIDERS = 50;
const scopesCodec = jsonCodec('identity_providers.scopes', StringList);
const domainsCodec = jsonCodec('identity_providers.allowed_domains', StringList);

/** An OpenID Connect provider that people sign in with. */
export interface IdentityProvider {
  name: string;
  displayName: string;
  issuer: string;
  clientId: string;
  /** Undefined for a client without a secret. */
  clientSecret: string | undefined;
  /** Besides `openid`. */
  scopes: string[];
  /** In lower case. Empty: any domain. */
  allowedDomains: string[];
  createsAccounts: boolean;
  trustsEmail: boolean;
  /** The claim with the groups of a person. */
  groupsClaim: string;
  /** Whether signing out here also signs out there. */
  signsOut: boolean;
  isEnabled: boolean;
  isFromSettings: boolean;
  createdAt: number | undefined;
}

export const startPath = ({ name }: Pick<IdentityProvider, 'name'>): string => `/auth/oidc/${name}`;

export const redirectUri = ({ publicUrl }: Pick<Deps, 'publicUrl'>, provider: Pick<IdentityProvider, 'name'>): string =>
  `${publicUrl()}${startPath(provider)}/callback`;

/** The provider of the settings. */
export function configuredProvider({ config }: Pick<Deps, 'config'>): IdentityProvider | undefined {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoClientSecretFile: file } = config;
  if (!issuer || !clientId) return undefined;
  return {
    name: config.ssoName,
    displayName: config.ssoName,
    issuer,
    clientId,
    clientSecret: file === undefined ? config.ssoClientSecret : readFileSync(file, 'utf8').trim(),
    scopes: config.ssoScopes,
    allowedDomains: config.ssoAllowedDomains,
    createsAccounts: config.ssoCreateAccounts,
    trustsEmail: config.ssoTrustEmail,
    groupsClaim: config.ssoGroupsClaim,
    signsOut: config.ssoSignOut,
    isEnabled: true,
    isFromSettings: true,
    createdAt: undefined,
  };
}

/** Throws at start if the settings contradict one another. */
export function checkConfiguredProvider({ config }: Pick<Deps, 'config'>): void {
  if (config.ssoClientSecret && config.ssoClientSecretFile) {
    throw new Error('Set MOORING_SSO_CLIENT_SECRET or MOORING_SSO_CLIENT_SECRET_FILE, not both.');
  }
  const problem = config.ssoIssuer && issuerProblem(config.ssoIssuer, config.outboundAllow);
  if (problem) throw new Error(`MOORING_SSO_ISSUER ${problem}`);
}

function openSecret({ secretKey }: Pick<Deps, 'secretKey'>, sealed: string | null): string | undefined {
  if (sealed === null) return undefined;
  const secret = open(secretKey, PURPOSE, sealed);
  if (secret === undefined) {
    throw new Error('The secret of an identity provider was sealed with another MOORING_SECRET_KEY.');
  }
  return secret;
}

const toProvider = (deps: Pick<Deps, 'secretKey'>, row: IdentityProvidersTable): IdentityProvider => ({
  name: row.name,
  displayName: row.display_name,
  issuer: row.issuer,
  clientId: row.client_id,
  clientSecret: openSecret(deps, row.sealed_secret),
  scopes: scopesCodec.parse(row.scopes),
  allowedDomains: domainsCodec.parse(row.allowed_domains),
  createsAccounts: row.creates_accounts === 1,
  trustsEmail: row.trusts_email === 1,
  groupsClaim: row.groups_claim,
  signsOut: row.signs_out === 1,
  isEnabled: row.is_enabled === 1,
  isFromSettings: false,
  createdAt: row.created_at,
});

const toRow = (
  deps: Pick<Deps, 'secretKey'>,
  provider: IdentityProvider,
): Omit<IdentityProvidersTable, 'id' | 'created_at'> => ({
  name: provider.name,
  display_name: provider.displayName,
  issuer: provider.issuer,
  client_id: provider.clientId,
  sealed_secret: provider.clientSecret === undefined ? null : seal(deps.secretKey, PURPOSE, provider.clientSecret),
  scopes: scopesCodec.serialize(provider.scopes),
  allowed_domains: domainsCodec.serialize(provider.allowedDomains),
  creates_accounts: provider.createsAccounts ? 1 : 0,
  trusts_email: provider.trustsEmail ? 1 : 0,
  groups_claim: provider.groupsClaim,
  signs_out: provider.signsOut ? 1 : 0,
  is_enabled: provider.isEnabled ? 1 : 0,
});

/** All providers; the one of the settings hides another with its name. */
export async function listProviders(deps: Deps): Promise<IdentityProvider[]> {
  const configured = configuredProvider(deps);
  const rows = await listProviderRows.all(deps.db);
  const added = rows.filter(({ name }) => name !== configured?.name).map((row) => toProvider(deps, row));
  return configured ? [configured, ...added] : added;
}

export async function findProvider(deps: Deps, name: string): Promise<IdentityProvider | undefined> {
  const configured = configuredProvider(deps);
  if (configured?.name === name) return configured;
  const row = await findProviderRow.first(deps.db, { name });
  return row && toProvider(deps, row);
}

export const isInDomain = (domains: readonly string[], email: string): boolean =>
  domains.includes(email.slice(email.lastIndexOf('@') + 1).toLowerCase());

export interface ProviderInput {
  displayName: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  scopes: string[];
  allowedDomains: string[];
  createsAccounts: boolean;
  trustsEmail: boolean;
  /** The claim with the groups of a person. */
  groupsClaim: string;
  /** Whether signing out here also signs out there. */
  signsOut: boolean;
  isEnabled: boolean;
}

type Change = { [K in keyof ProviderInput]?: ProviderInput[K] | undefined };

const defaults = {
  scopes: ['profile', 'email'],
  allowedDomains: [],
  createsAccounts: false,
  trustsEmail: false,
  groupsClaim: 'groups',
  signsOut: false,
  isEnabled: true,
};

/** The new secret; undefined if the change has none. A mask that a page sent back is none. */
const readSecret = ({ clientSecret }: Change): string | undefined =>
  clientSecret !== undefined && (clientSecret === SECRET_MASK || /^[*•]+$/.test(clientSecret))
    ? undefined
    : clientSecret;

const dedupe = (texts: readonly string[]): string[] => [...new Set(texts)];

const normalize = (provider: IdentityProvider): IdentityProvider => ({
  ...provider,
  displayName: provider.displayName.trim(),
  scopes: dedupe(provider.scopes.filter((scope) => scope !== 'openid')),
  allowedDomains: dedupe(provider.allowedDomains.map((domain) => domain.toLowerCase())),
});

const audited = auditFields(
  'displayName',
  'issuer',
  'clientId',
  'scopes',
  'allowedDomains',
  'createsAccounts',
  'trustsEmail',
  'groupsClaim',
  'signsOut',
  'isEnabled',
);

function refuseBadIssuer({ config }: Deps, issuer: string): void {
  const problem = issuerProblem(issuer, config.outboundAllow);
  if (problem) throw badRequest(`issuer: "${issuer}" ${problem}`);
}

function refuseConfigured(ctx: Deps, { name, issuer }: { name?: string; issuer?: string | undefined }): void {
  const configured = configuredProvider(ctx);
  if (!configured) return;
  if (configured.name === name) {
    throw conflict(`The provider "${name}" comes from MOORING_SSO_ISSUER. Change the settings of the server instead.`);
  }
  if (configured.issuer === issuer) throw takenIssuer(issuer);
}

/** True if a rule may replace passwords by this provider. */
export const canBeRequired = ({ isEnabled, allowedDomains }: IdentityProvider): boolean =>
  isEnabled && allowedDomains.length > 0;

/** Otherwise people would be locked out, or their old passwords would work again. */
async function refuseRequired(ctx: Ctx, name: string, what: string): Promise<void> {
  if (await findProviderRule.first(ctx.db, { provider: name })) {
    throw conflict(`A sign-in rule requires "${name}", so it can't be ${what}. Remove the rule first.`);
  }
}

const takenIssuer = (issuer: string) =>
  conflict(`Another provider has the issuer ${issuer}. Change that one, or delete it first.`);

export async function createProvider(
  ctx: Ctx,
  input: Change & Pick<ProviderInput, 'displayName' | 'issuer' | 'clientId'> & { name: string },
): Promise<IdentityProvider> {
  refuseBadIssuer(ctx, input.issuer);
  refuseConfigured(ctx, input);
  if (input.clientSecret && readSecret(input) === undefined) {
    throw badRequest('client_secret consists of asterisks. Send the secret that the provider shows.');
  }
  const { scopes, allowedDomains, createsAccounts, trustsEmail, groupsClaim, signsOut, isEnabled } = input;
  const provider = normalize({
    name: input.name,
    displayName: input.displayName,
    issuer: input.issuer,
    clientId: input.clientId,
    clientSecret: readSecret(input) || undefined,
    scopes: scopes ?? defaults.scopes,
    allowedDomains: allowedDomains ?? defaults.allowedDomains,
    createsAccounts: createsAccounts ?? defaults.createsAccounts,
    trustsEmail: trustsEmail ?? defaults.trustsEmail,
    groupsClaim: groupsClaim ?? defaults.groupsClaim,
    signsOut: signsOut ?? defaults.signsOut,
    isEnabled: isEnabled ?? defaults.isEnabled,
    isFromSettings: false,
    createdAt: ctx.clock.now(),
  });
  return tx(ctx, async (ctx) => {
    const existing = await listProviderRows.all(ctx.db);
    if (existing.length >= MAX_PROVIDERS) {
      throw conflict(`This server already has ${MAX_PROVIDERS} identity providers, the maximum. Delete one first.`);
    }
    if (existing.some(({ name }) => name === provider.name)) {
      throw conflict(`The name "${provider.name}" is taken. Choose another.`);
    }
    const id = ctx.newId();
    const row = { id, ...toRow(ctx, provider), created_at: ctx.clock.now() };
    if (!(await insertProvider.first(ctx.db, row))) throw takenIssuer(provider.issuer);
    const subject = { kind: 'identity_provider', id, name: provider.name } as const;
    await record(ctx, 'identity_provider.create', subject, { after: audited(provider) });
    return provider;
  });
}

async function lockProvider(ctx: Ctx, name: string): Promise<IdentityProvidersTable> {
  refuseConfigured(ctx, { name });
  const row = await lockProviderRow.first(ctx.db, { name });
  if (!row) throw notFound('identity provider', name);
  return row;
}

const issuers = { table: 'identity_providers', columns: ['issuer'] };

/** Without a new secret, keeps the old one, unless it would be sent to another issuer or for another client. */
export const updateProvider = (ctx: Ctx, name: string, change: Change): Promise<IdentityProvider> => {
  if (change.issuer !== undefined) refuseBadIssuer(ctx, change.issuer);
  return tx(ctx, async (ctx) => {
    const row = await lockProvider(ctx, name);
    refuseConfigured(ctx, { issuer: change.issuer });
    const before = toProvider(ctx, row);
    const secret = readSecret(change);
    const isSameClient =
      (change.issuer ?? before.issuer) === before.issuer && (change.clientId ?? before.clientId) === before.clientId;
    if (!isSameClient && secret === undefined && before.clientSecret !== undefined) {
      throw badRequest('client_secret is missing. A new issuer or client_id needs its secret, too.');
    }
    const after = normalize({
      ...before,
      displayName: change.displayName ?? before.displayName,
      issuer: change.issuer ?? before.issuer,
      clientId: change.clientId ?? before.clientId,
      clientSecret: secret === undefined ? before.clientSecret : secret || undefined,
      scopes: change.scopes ?? before.scopes,
      allowedDomains: change.allowedDomains ?? before.allowedDomains,
      createsAccounts: change.createsAccounts ?? before.createsAccounts,
      trustsEmail: change.trustsEmail ?? before.trustsEmail,
      groupsClaim: change.groupsClaim ?? before.groupsClaim,
      signsOut: change.signsOut ?? before.signsOut,
      isEnabled: change.isEnabled ?? before.isEnabled,
    });
    if (!canBeRequired(after)) await refuseRequired(ctx, name, 'disabled or left without allowed domains');
    const saved = updateProviderRow.run(ctx.db, { id: row.id, ...toRow(ctx, after) });
    await claim(issuers, takenIssuer(after.issuer), saved);
    const subject = { kind: 'identity_provider', id: row.id, name } as const;
    await record(ctx, 'identity_provider.update', subject, { before: audited(before), after: audited(after) });
    return after;
  });
};

export const deleteProvider = (ctx: Ctx, name: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const row = await lockProvider(ctx, name);
    await refuseRequired(ctx, name, 'deleted');
    await deleteProviderRow.run(ctx.db, { id: row.id });
    await deleteProviderMappings.run(ctx.db, { provider: name });
    const subject = { kind: 'identity_provider', id: row.id, name } as const;
    await record(ctx, 'identity_provider.delete', subject, { before: audited(toProvider(ctx, row)) });
  });
