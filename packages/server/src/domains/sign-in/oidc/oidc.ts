import type { SignInProblem } from '@mooring/contract';
import * as oauth from 'oauth4webapi';
import type { Ctx, User } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { SECOND } from '../../../kernel/clock.ts';
import { conflict, Failure } from '../../../kernel/errors.ts';
import { OutboundError } from '../../../outbound/fetch.ts';
import {
  addUser,
  checkSignIn,
  decoyHash,
  findPersonByEmail,
  getAccount,
  openSession,
  toUser,
} from '../../accounts/index.ts';
import { listMappings } from '../groups/group-mappings.ts';
import { applyChosen, applyGroups, chooseMappings } from '../groups/mapped-memberships.ts';
import { findLinkedUser } from '../links.store.ts';
import { linkAccount } from '../links.ts';
import { findProvider, type IdentityProvider, isInDomain, redirectUri } from '../providers/providers.ts';
import { findRequiredProvider } from '../rules/rules.ts';
import { sealIdToken } from '../sign-out/sign-out.ts';
import { type Browser, pendingLink, startedSignIn } from './browser-state.ts';
import { type Directory, isInsecure, type ProviderMetadata, toLibraryFetch } from './directory.ts';
import { TOLERANCE, verifyIdToken } from './id-token.ts';
import { type Identity, toIdentity } from './identity-claims.ts';
import { readNextPath } from './next-path.ts';

/** A sign-in that failed, with the reason for the sign-in page. */
class SignInFailure extends Error {
  override name = 'SignInFailure';
  readonly problem: SignInProblem;
  constructor(problem: SignInProblem, cause?: unknown) {
    super(problem, { cause });
    this.problem = problem;
  }
}

/** Number of group mappings that fit into the cookie of a sign-in. */
const MAX_CHOSEN = 30;

const signInPage = (problem: SignInProblem): string => `/sign-in?problem=${problem}`;

/** Converts failures to the page that explains them. Details are logged, because they may reveal internals. */
async function withProblemPage(ctx: Ctx, provider: string, work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error;
    const { problem, cause } = error;
    ctx.log.warn({ provider, problem, ...(cause === undefined ? {} : { err: cause }) }, 'sign-in by provider failed');
    return signInPage(problem);
  }
}

async function findEnabled(ctx: Ctx, name: string): Promise<IdentityProvider> {
  const provider = await findProvider(ctx, name);
  if (!provider?.isEnabled) throw new SignInFailure('unknown');
  return provider;
}

async function findMetadata(directory: Directory, { issuer }: IdentityProvider): Promise<ProviderMetadata> {
  try {
    return await directory.find(issuer);
  } catch (error) {
    throw new SignInFailure('unreachable', error);
  }
}

/** Returns the URL of the provider that the browser is sent to. */
export const startSignIn = (
  ctx: Ctx,
  directory: Directory,
  { name, next, isAgain = false }: { name: string; next: string | undefined; isAgain?: boolean },
  browser: Browser,
): Promise<string> =>
  withProblemPage(ctx, name, async () => {
    const provider = await findEnabled(ctx, name);
    const { authorizationEndpoint } = await findMetadata(directory, provider);
    const [state, nonce, verifier] = [
      oauth.generateRandomState(),
      oauth.generateRandomNonce(),
      oauth.generateRandomCodeVerifier(),
    ];
    startedSignIn.save(ctx, browser, {
      provider: name,
      issuer: provider.issuer,
      state,
      nonce,
      verifier,
      next: readNextPath(next),
    });
    const url = new URL(authorizationEndpoint);
    const parameters = {
      response_type: 'code',
      client_id: provider.clientId,
      redirect_uri: redirectUri(ctx, provider),
      scope: ['openid', ...provider.scopes].join(' '),
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(isAgain ? { prompt: 'login' } : {}),
    };
    for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, value);
    return url.href;
  });

interface CallbackInput {
  name: string;
  /** The query as it arrived, so that repeated parameters are noticed. */
  query: URLSearchParams;
}

/** Completes a sign-in, and returns the page to open. */
export const completeSignIn = (
  ctx: Ctx,
  directory: Directory,
  { name, query }: CallbackInput,
  browser: Browser,
): Promise<string> =>
  withProblemPage(ctx, name, async () => {
    const started = startedSignIn.read(ctx, browser);
    // Each start is for one attempt.
    startedSignIn.clear(browser);
    if (!started || started.provider !== name) throw new SignInFailure('expired');
    const provider = await findEnabled(ctx, name);
    // The provider was changed meanwhile.
    if (provider.issuer !== started.issuer) throw new SignInFailure('expired');
    const metadata = await findMetadata(directory, provider);
    const identity = await exchange(ctx, directory, { provider, metadata, started, query });
    const resolved = await resolveUser(ctx, provider, identity);
    if (!resolved) {
      const { issuer, subject, email, sid, groups } = identity;
      const chosen = chooseMappings(await listMappings(ctx, name), groups).map(({ id }) => id);
      pendingLink.save(ctx, browser, {
        provider: name,
        issuer,
        subject,
        next: started.next,
        ...(email === undefined ? {} : { email }),
        ...(sid === undefined ? {} : { sid }),
        // A cookie has room for a limited number of mappings; the next sign-in applies all of them.
        ...(groups === 'unknown' || chosen.length > MAX_CHOSEN ? {} : { mappings: chosen }),
      });
      return '/link-account';
    }
    const { user, isMapped } = resolved;
    if (isMapped) await applyGroups(ctx, provider, user, identity.groups);
    const { secret, expiresAt } = await openSession(ctx, user, toProviderSession(ctx, provider, identity));
    browser.setSession(secret, expiresAt);
    return started.next;
  });

interface Exchange {
  provider: IdentityProvider;
  metadata: ProviderMetadata;
  started: { state: string; nonce: string; verifier: string };
  query: URLSearchParams;
}

function authenticateClient({ server }: ProviderMetadata, secret: string | undefined): oauth.ClientAuth {
  if (secret === undefined) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret);
}

/** Exchanges the code for tokens, verifies the ID token, and returns the identity in it. */
async function exchange(
  ctx: Ctx,
  directory: Directory,
  { provider, metadata, started, query }: Exchange,
): Promise<Identity> {
  const { server } = metadata;
  const now = ctx.clock.now();
  const client: oauth.Client = {
    client_id: provider.clientId,
    // The library has its own clock.
    [oauth.clockSkew]: Math.round((now - Date.now()) / SECOND),
    [oauth.clockTolerance]: TOLERANCE,
  };
  const options = {
    [oauth.customFetch]: toLibraryFetch(ctx.fetch),
    [oauth.allowInsecureRequests]: isInsecure(provider.issuer),
  };
  try {
    // Checks state, and iss against mix-up; reports the error of the provider.
    const parameters = oauth.validateAuthResponse(server, client, query, started.state);
    const authentication = authenticateClient(metadata, provider.clientSecret);
    const uri = redirectUri(ctx, provider);
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      authentication,
      parameters,
      uri,
      started.verifier,
      options,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: started.nonce,
      requireIdToken: true,
    });
    const expected = {
      clientId: provider.clientId,
      nonce: started.nonce,
      accessToken: tokens.access_token,
      now,
    };
    let claims = await verifyIdToken(tokens.id_token ?? '', directory, metadata, expected);
    // Many providers put the address and the groups into the ID token only on request.
    const { groupsClaim, scopes } = provider;
    const lacksGroups = scopes.includes(groupsClaim) && claims[groupsClaim] === undefined;
    if ((claims.email === undefined || lacksGroups) && server.userinfo_endpoint !== undefined) {
      const userInfo = await oauth.userInfoRequest(server, client, tokens.access_token, options);
      claims = { ...(await oauth.processUserInfoResponse(server, client, claims.sub, userInfo)), ...claims };
    }
    return toIdentity(provider, claims, tokens.id_token ?? '');
  } catch (error) {
    throw toSignInFailure(error);
  }
}

function toSignInFailure(error: unknown): SignInFailure {
  if (error instanceof oauth.AuthorizationResponseError) return new SignInFailure('denied', error);
  const isOffline = error instanceof OutboundError || (error as Error).cause instanceof OutboundError;
  return new SignInFailure(isOffline ? 'unreachable' : 'invalid', error);
}

const toProviderSession = (ctx: Ctx, provider: IdentityProvider, { subject, sid, idToken }: Identity) => ({
  provider: provider.name,
  subject,
  sid,
  sealedIdToken: provider.signsOut ? sealIdToken(ctx, idToken) : undefined,
});

function refuseDomain({ allowedDomains }: IdentityProvider, { email, isEmailTrusted }: Identity): void {
  if (allowedDomains.length === 0) return;
  if (email === undefined || !isEmailTrusted) throw new SignInFailure('email');
  if (!isInDomain(allowedDomains, email)) throw new SignInFailure('domain');
}

/** An account, and whether group mappings may have to be applied to it. */
interface Resolved {
  user: User;
  isMapped: boolean;
}

async function findLinked(
  ctx: Ctx,
  { name }: IdentityProvider,
  { issuer, subject }: Identity,
): Promise<Resolved | undefined> {
  const row = await findLinkedUser.first(ctx.db, { issuer, subject, provider: name });
  if (row?.is_disabled) throw new SignInFailure('disabled');
  return row && { user: toUser(row), isMapped: row.is_mapped === 1 };
}

/**
 * Returns the account of a user of the provider. Issuer and subject decide, never the address: a person with an account
 * already proves with its password that it is theirs, unless a rule has replaced the password by this provider. Undefined if
 * they have to do so.
 */
async function resolveUser(ctx: Ctx, provider: IdentityProvider, identity: Identity): Promise<Resolved | undefined> {
  refuseDomain(provider, identity);
  const linked = await findLinked(ctx, provider, identity);
  if (linked) return linked;
  const { email } = identity;
  const owner = email === undefined ? undefined : await findPersonByEmail(ctx, email);
  if (owner) {
    // A request in parallel may have created this account.
    const created = await findLinked(ctx, provider, identity);
    if (created) return created;
    if (!(await isProvidersOwn(ctx, provider, identity, owner))) return undefined;
    return { user: await linkOwner(ctx, identity, owner), isMapped: true };
  }
  if (!provider.createsAccounts) return undefined;
  if (email === undefined || !identity.isEmailTrusted) throw new SignInFailure('email');
  try {
    return { user: await createAccount(ctx, identity, email), isMapped: true };
  } catch (error) {
    if (!(error instanceof Failure && error.code === 'Conflict')) throw error;
    // A request in parallel created the account.
    return findLinked(ctx, provider, identity);
  }
}

/**
 * True if a rule has replaced the password of this account by the provider, so that its password can't prove anything. Both
 * sides must have verified the address. Never an administrator of the server, who keeps a password.
 */
async function isProvidersOwn(
  ctx: Ctx,
  provider: IdentityProvider,
  { isEmailTrusted }: Identity,
  owner: User,
): Promise<boolean> {
  if (!isEmailTrusted || (await findRequiredProvider(ctx, owner))?.name !== provider.name) return false;
  const { isEmailVerified, isDisabled } = await getAccount(ctx, owner.id);
  if (isDisabled) throw new SignInFailure('disabled');
  return isEmailVerified;
}

async function linkOwner(ctx: Ctx, identity: Identity, owner: User): Promise<User> {
  try {
    await linkAccount(ctx, identity, owner);
  } catch (error) {
    throw error instanceof Failure ? new SignInFailure('taken', error) : error;
  }
  return owner;
}

/** The account has no password; its owner can set one by email, unless a rule forbids it. */
const createAccount = (ctx: Ctx, identity: Identity, email: string): Promise<User> =>
  tx(ctx, async (ctx) => {
    const { displayName } = identity;
    const account = await addUser(ctx, {
      email,
      passwordHash: decoyHash,
      isEmailVerified: true,
      ...(displayName === undefined ? {} : { displayName }),
    });
    await linkAccount(ctx, identity, account);
    return account;
  });

/** The sign-in of this browser that waits for the password of an account. */
export async function findPendingLink(ctx: Ctx, browser: Browser) {
  const pending = pendingLink.read(ctx, browser);
  const provider = pending && (await findProvider(ctx, pending.provider));
  return provider?.isEnabled && provider.issuer === pending?.issuer ? { ...pending, provider } : undefined;
}

/** Links the account with this password to the user of the provider, and signs in. */
export async function completeLink(
  ctx: Ctx,
  { login, password, code }: { login: string; password: string; code?: string },
  browser: Browser,
): Promise<{ user: User; next: string }> {
  const pending = await findPendingLink(ctx, browser);
  if (!pending) {
    throw conflict(
      'This browser has no sign-in to link, or it is older than 10 minutes. Sign in with the provider again.',
    );
  }
  const user = await checkSignIn(ctx, login, password, code);
  if (!user) throw new Failure('Unauthorized', 'The name or password is wrong.');
  const session = await tx(ctx, async (ctx) => {
    await linkAccount(ctx, pending, user);
    const { provider, subject, sid, mappings } = pending;
    if (mappings) await applyChosen(ctx, provider.name, user, mappings);
    return openSession(ctx, user, { provider: provider.name, subject, sid, sealedIdToken: undefined });
  });
  pendingLink.clear(browser);
  browser.setSession(session.secret, session.expiresAt);
  return { user, next: pending.next };
}
