import { hostname } from 'node:os';
import {
  ApiError,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
  users_changePassword,
  users_get,
} from '@mooring/contract';
import { openInBrowser } from '../browser.ts';
import { openConnection } from '../connection.ts';
import type { Environment } from '../environment.ts';
import { command } from '../framework/command.ts';
import { Failure, notSignedIn, wrongUsage } from '../framework/errors.ts';
import type { Output } from '../output.ts';
import {
  anybody,
  DEFAULT_PROFILE,
  DEFAULT_SERVER,
  getProfile,
  nameProfile,
  type Profile,
  readProfiles,
  readServer,
  writeProfiles,
} from '../profile.ts';
import { ask, canAsk, readNewPassword, readStdin } from '../prompt.ts';

const loginOptions = {
  server: { value: 'URL', summary: `The server (default MOORING_SERVER, or ${DEFAULT_SERVER})` },
  token: { value: 'VALUE', summary: 'Use this API token; others on this machine may see it, --token-stdin is safer' },
  'token-stdin': { summary: 'Read an API token from stdin' },
  browser: { summary: 'Get a token in the browser, and paste it; the way on a terminal without other options' },
  user: { value: 'NAME', summary: 'Sign in with this name or e-mail, and a password' },
  'password-stdin': { summary: 'Read the password from stdin; needs --user' },
} as const;

interface LoginOptions {
  token?: string;
  'token-stdin': boolean;
  browser: boolean;
  user?: string;
  'password-stdin': boolean;
}

type NewCredential = Pick<Profile, 'token' | 'token_id'>;

const isLoopback = (server: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname);

function refuseContradiction(options: LoginOptions): void {
  const ways = [options.token !== undefined, options['token-stdin'], options.browser, options.user !== undefined];
  if (ways.filter(Boolean).length > 1) {
    throw wrongUsage('Give one of --token, --token-stdin, --browser and --user, not several.');
  }
  if (options['password-stdin'] && !options.user) throw wrongUsage('--password-stdin needs --user NAME.');
}

async function makeToken(server: string, user: string, fromStdin: boolean): Promise<NewCredential> {
  if (!fromStdin && !canAsk()) {
    throw wrongUsage('There is no terminal to ask for your password on.', 'Use --password-stdin.');
  }
  const password = fromStdin ? await readStdin('password') : await ask('Password: ', { secret: true });
  const call = openConnection({ server, basic: { user, password } });
  const made = await call(userApiTokens_create, {
    body: { description: `mooring CLI on ${hostname()}`, scope: ['all'] },
  });
  return { token: made.api_token, token_id: made.id };
}

/** The page makes a token and shows it, but not its id, which signing out needs. */
async function findTokenId(server: string, token: string): Promise<string | undefined> {
  const tokens = await openConnection({ server, token })(userApiTokens_list);
  const alike = tokens.filter(({ last_four }) => last_four === token.slice(-4));
  return alike.length === 1 ? alike[0]?.id : undefined;
}

async function pasteToken(server: string, env: Environment, out: Output): Promise<NewCredential> {
  const page = `${server}/cli-login?hostname=${encodeURIComponent(hostname())}`;
  out.note(`Sign in at ${page} and paste the access code that it shows.`);
  openInBrowser(page, env);
  const pasted = canAsk() ? await ask('Access code: ', { secret: true }) : await readStdin('access code');
  const token = pasted.trim();
  return { token, token_id: await explainRefusal(refusedToken, findTokenId(server, token)) };
}

const refusedToken = 'The server does not accept this token.';

async function obtainToken(
  server: string,
  options: LoginOptions,
  { env, out }: { env: Environment; out: Output },
): Promise<NewCredential> {
  if (options['token-stdin']) return { token: (await readStdin('token')).trim() };
  if (options.token !== undefined) return { token: options.token };
  if (options.user !== undefined) {
    const refused = 'The server does not know this name with this password.';
    return explainRefusal(refused, makeToken(server, options.user, options['password-stdin']));
  }
  if (options.browser || canAsk()) return pasteToken(server, env, out);
  throw wrongUsage('There is no terminal to sign in on.', 'Use --token-stdin, or --user NAME with --password-stdin.');
}

async function explainRefusal<T>(message: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status === 401;
    throw isRefused ? notSignedIn(message, 'Check what you typed, and try again.') : error;
  }
}

/** Saves the profile as the default one and returns the one that it replaces. */
async function saveLogin(env: Environment, profileName: string, server: string, credential: NewCredential) {
  const profiles = readProfiles(env);
  const replaced = profiles.byName.get(profileName);
  const call = openConnection({ server, token: credential.token });
  const user = await explainRefusal(refusedToken, call(users_get));
  profiles.byName.set(profileName, { server, name: user.name, ...credential });
  writeProfiles(env, { default: profileName, byName: profiles.byName });
  return { user, replaced };
}

/** Revokes a token that this program made; when that cannot be done, says so and goes on. */
async function revokeOwnToken({ server, token, token_id }: Omit<Profile, 'name'>, out: Output): Promise<void> {
  if (!token_id) return;
  try {
    await openConnection({ server, token })(userApiTokens_delete, { params: { api_token_id: token_id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      out.note(`The token of the profile was not valid any more at ${server}.`);
    } else if (error instanceof ApiError || error instanceof Failure) {
      out.note(`The token ${token_id} is still valid, revoke it in the console of ${server}: ${error.message}`);
    } else {
      throw error;
    }
  }
}

export const accountCommands = [
  command({
    name: 'login',
    summary: 'Signs in to a server and keeps a token for it in a profile',
    options: loginOptions,
    async run({ options, env, out }) {
      refuseContradiction(options);
      const server = options.server ? readServer(options.server) : anybody(env).server;
      if (server.startsWith('http:') && !isLoopback(server)) {
        out.note(`${server} is not encrypted: everybody on the way can read what you send.`);
      }
      const profileName = nameProfile(env, options.profile) ?? DEFAULT_PROFILE;
      const credential = await obtainToken(server, options, { env, out });
      const saved = saveLogin(env, profileName, server, credential);
      const { user, replaced } = await saved.catch(async (error) => {
        await revokeOwnToken({ server, ...credential }, out);
        throw error;
      });
      if (options.json) out.json(user);
      out.note(`Signed in to ${server} as ${user.name} (profile "${profileName}").`);
      const named = env.MOORING_PROFILE;
      const current = named || profileName;
      const why = named && named !== profileName ? ', because MOORING_PROFILE names it' : '';
      out.note(`Current profile: "${current}"${why}. Use another for one command with --profile NAME.`);
      if (replaced) await revokeOwnToken(replaced, out);
    },
  }),
  command({
    name: 'logout',
    summary: 'Removes a profile, and revokes its token if "mooring login" made it',
    async run({ options, env, out }) {
      const [name, profile] = getProfile(env, options.profile);
      await revokeOwnToken(profile, out);
      const { default: usual, byName } = readProfiles(env);
      byName.delete(name);
      writeProfiles(env, { default: usual === name ? undefined : usual, byName });
      out.note(`Signed out of ${profile.server} (profile "${name}").`);
    },
  }),
  command({
    name: 'whoami',
    summary: 'Shows who is signed in, and where',
    async run({ out, connect }) {
      const { call, server, profileName } = connect();
      const user = await call(users_get);
      out.record(user, user, [
        { header: 'NAME', value: (row) => row.name },
        { header: 'E-MAIL', value: (row) => row.email },
        { header: 'ADMIN', value: (row) => row.is_admin },
        { header: 'SERVER', value: () => server },
        { header: 'PROFILE', value: () => profileName },
      ]);
    },
  }),
  command({
    name: 'password',
    summary: 'Changes your password, and ends your sessions',
    options: { 'revoke-tokens': { summary: 'Also revoke every API token that you made, this one included' } },
    async run({ options, out, connect }) {
      if (!canAsk()) throw wrongUsage('There is no terminal to ask for your passwords on.', 'Use the console.');
      const { call } = connect();
      const current_password = await ask('Current password: ', { secret: true });
      const new_password = await readNewPassword(false);
      const revoke_tokens = options['revoke-tokens'];
      await call(users_changePassword, { body: { current_password, new_password, revoke_tokens } });
      out.note(revoke_tokens ? 'Changed. Sign in again: "mooring login".' : 'Changed. Your API tokens stay valid.');
    },
  }),
  command({
    name: 'profiles list',
    summary: 'Lists the profiles that are kept on this machine',
    run({ env, out }) {
      const { default: usual, byName } = readProfiles(env);
      const rows = [...byName].map(([profile, { server, name }]) => ({
        profile,
        server,
        name,
        is_default: profile === usual,
      }));
      out.table(rows, rows, [
        { header: 'PROFILE', value: (row) => row.profile },
        { header: 'SERVER', value: (row) => row.server },
        { header: 'NAME', value: (row) => row.name },
        { header: 'DEFAULT', value: (row) => row.is_default },
      ]);
    },
  }),
  command({
    name: 'profiles use',
    summary: 'Makes a profile the default one',
    arguments: { name: { summary: 'As in "mooring profiles list"' } },
    run({ args, env, out }) {
      const [name, { server }] = getProfile(env, args.name);
      writeProfiles(env, { ...readProfiles(env), default: name });
      out.note(`The profile "${name}" (${server}) is the default one now.`);
    },
  }),
];
