import { hostname } from 'node:os';
import {
  ApiError,
  userApiTokens_create,
  userApiTokens_delete,
  userApiTokens_list,
  users_changePassword,
  users_get,
} from '@mooring/contract';
import { readApp } from '../../arguments/targets.ts';
import { openConnection } from '../../connection/connection.ts';
import {
  DEFAULT_PROFILE,
  DEFAULT_SERVER,
  getAnonymousIdentity,
  getProfile,
  nameProfile,
  type Profile,
  readProfiles,
  readServer,
  writeProfiles,
} from '../../connection/profile.ts';
import type { Environment } from '../../environment.ts';
import { command } from '../../framework/command.ts';
import { Failure, notSignedIn, wrongUsage } from '../../framework/errors.ts';
import { openInBrowser } from '../../terminal/browser.ts';
import type { Output } from '../../terminal/output.ts';
import { isInteractive, prompt, readNewPassword, readStdin } from '../../terminal/prompt.ts';
import { signInByIdToken } from './ci-login.ts';
import { signInByDeviceCode } from './device-code.ts';

const loginOptions = {
  server: { value: 'URL', summary: `Address of the server (default MOORING_SERVER, or ${DEFAULT_SERVER})` },
  token: {
    value: 'VALUE',
    summary: 'API token; prefer --token-stdin, as other users of this machine can see arguments',
  },
  'token-stdin': { summary: 'Read the API token from stdin' },
  'device-code': { summary: 'Confirm a code in any browser (default on a terminal)' },
  browser: { summary: 'Open the browser of this machine and paste the access code' },
  user: { value: 'NAME', summary: 'Name or email, to sign in with a password' },
  ci: { summary: 'Sign in as this job of GitHub Actions or GitLab, for 15 minutes (requires --app)' },
  app: { value: 'OWNER/APP', summary: 'App whose CI rules allow the job' },
  'password-stdin': { summary: 'Read the password from stdin (requires --user)' },
} as const;

interface LoginOptions {
  token?: string;
  'token-stdin': boolean;
  'device-code': boolean;
  browser: boolean;
  user?: string;
  ci: boolean;
  app?: string;
  'password-stdin': boolean;
}

type NewCredential = Pick<Profile, 'token' | 'token_id'>;

const isLoopback = (server: string): boolean => /^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname);

function refuseContradiction(options: LoginOptions): void {
  const methods = [
    options.token !== undefined,
    options['token-stdin'],
    options['device-code'],
    options.browser,
    options.user !== undefined,
    options.ci,
  ];
  if (methods.filter(Boolean).length > 1) {
    throw wrongUsage("--token, --token-stdin, --device-code, --browser, --user and --ci can't be combined.");
  }
  if (options['password-stdin'] && !options.user) throw wrongUsage('--password-stdin requires --user NAME.');
  if (options.ci !== (options.app !== undefined))
    throw wrongUsage('--ci requires --app OWNER/APP, and --app requires --ci.');
}

async function makeToken(server: string, user: string, fromStdin: boolean): Promise<NewCredential> {
  if (!fromStdin && !isInteractive()) {
    throw wrongUsage("Can't ask for your password without a terminal.", 'Use --password-stdin.');
  }
  const password = fromStdin ? await readStdin('password') : await prompt('Password: ', { secret: true });
  const create = async (code?: string): Promise<NewCredential> => {
    const call = openConnection({ server, basic: { user, password, ...(code ? { code } : {}) } });
    const made = await call(userApiTokens_create, {
      body: { description: `mooring CLI on ${hostname()}`, scope: ['all'] },
    });
    return { token: made.api_token, token_id: made.id };
  };
  try {
    return await create();
  } catch (error) {
    if (!(error instanceof ApiError && error.secondFactor === 'required')) throw error;
    if (!isInteractive()) {
      throw notSignedIn(
        'This account needs a code of its authenticator app.',
        'Create an API token in the console, and use --token-stdin.',
      );
    }
    return create(await prompt('Code of your authenticator app: '));
  }
}

/** The page shows the new token without its ID, which is needed to revoke it when signing out. */
async function findTokenId(server: string, token: string): Promise<string | undefined> {
  const tokens = await openConnection({ server, token })(userApiTokens_list);
  const alike = tokens.filter(({ last_four }) => last_four === token.slice(-4));
  return alike.length === 1 ? alike[0]?.id : undefined;
}

async function pasteToken(server: string, env: Environment, out: Output): Promise<NewCredential> {
  const page = `${server}/cli-login?hostname=${encodeURIComponent(hostname())}`;
  out.note(`Sign in at ${page} and paste the access code.`);
  openInBrowser(page, env);
  const pasted = isInteractive() ? await prompt('Access code: ', { secret: true }) : await readStdin('access code');
  const token = pasted.trim();
  return { token, token_id: await explainRefusal(refusedToken, findTokenId(server, token)) };
}

const refusedToken = 'The server rejected the token.';

async function obtainToken(
  server: string,
  options: LoginOptions,
  { env, out }: { env: Environment; out: Output },
): Promise<NewCredential> {
  if (options['token-stdin']) return { token: (await readStdin('token')).trim() };
  if (options.token !== undefined) return { token: options.token };
  if (options.user !== undefined) {
    const refused = 'Wrong name or password.';
    return explainRefusal(refused, makeToken(server, options.user, options['password-stdin']));
  }
  if (options.browser) return pasteToken(server, env, out);
  if (options['device-code'] || isInteractive()) {
    // Servers before version 0.2 know no device codes.
    return (await signInByDeviceCode(server, out)) ?? pasteToken(server, env, out);
  }
  throw wrongUsage(
    "Can't ask you to sign in without a terminal.",
    'Use --device-code to print a code for a browser, --token-stdin, or --user NAME with --password-stdin.',
  );
}

async function explainRefusal<T>(message: string, response: Promise<T>): Promise<T> {
  try {
    return await response;
  } catch (error) {
    // The password was right; the message of the server says what is wrong with the code.
    const isRefused = error instanceof ApiError && error.status === 401 && error.secondFactor === null;
    throw isRefused ? notSignedIn(message, 'Check your input and try again.') : error;
  }
}

/** Saves the profile as the default one. Returns the profile that it replaces, if any. */
async function saveLogin(env: Environment, profileName: string, server: string, credential: NewCredential) {
  const profiles = readProfiles(env);
  const replaced = profiles.byName.get(profileName);
  const call = openConnection({ server, token: credential.token });
  const user = await explainRefusal(refusedToken, call(users_get));
  profiles.byName.set(profileName, { server, name: user.name, ...credential });
  writeProfiles(env, { default: profileName, byName: profiles.byName });
  return { user, replaced };
}

/** Saves the token of a CI job, for the commands that follow in the job. */
async function logInByIdToken(env: Environment, profileName: string, server: string, app: string) {
  const { owner_name, app_name } = readApp(app, '--app');
  const name = `${owner_name}/${app_name}`;
  const { token } = await signInByIdToken(server, name, env);
  const { byName } = readProfiles(env);
  byName.set(profileName, { server, name, token });
  writeProfiles(env, { default: profileName, byName });
  return name;
}

/** Revokes a token that this program created. A failure is reported, but not thrown. */
async function revokeOwnToken({ server, token, token_id }: Omit<Profile, 'name'>, out: Output): Promise<void> {
  if (!token_id) return;
  try {
    await openConnection({ server, token })(userApiTokens_delete, { params: { api_token_id: token_id } });
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      out.note(`The token of the profile was already invalid on ${server}.`);
    } else if (error instanceof ApiError || error instanceof Failure) {
      out.note(`Token ${token_id} is still valid. Revoke it in the console of ${server}. ${error.message}`);
    } else {
      throw error;
    }
  }
}

export const accountCommands = [
  command({
    name: 'login',
    summary: 'Sign in to a server and save an API token in a profile',
    options: loginOptions,
    async run({ options, env, out }) {
      refuseContradiction(options);
      const server = options.server ? readServer(options.server) : getAnonymousIdentity(env).server;
      if (server.startsWith('http:') && !isLoopback(server)) {
        out.note(
          `Warning: the connection to ${server} is not encrypted. Others on the network can read your password and token.`,
        );
      }
      const profileName = nameProfile(env, options.profile) ?? DEFAULT_PROFILE;
      if (options.ci && options.app !== undefined) {
        const name = await logInByIdToken(env, profileName, server, options.app);
        out.note(`Signed in to ${server} for ${name} for 15 minutes (profile "${profileName}").`);
        return;
      }
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
      const reason = named && named !== profileName ? ' (set by MOORING_PROFILE)' : '';
      out.note(`Current profile: "${current}"${reason}. Use --profile NAME to choose another for one command.`);
      if (replaced) await revokeOwnToken(replaced, out);
    },
  }),
  command({
    name: 'logout',
    summary: 'Remove a profile, and revoke its token if "mooring login" created it',
    async run({ options, env, out }) {
      const [name, profile] = getProfile(env, options.profile);
      await revokeOwnToken(profile, out);
      const { default: defaultName, byName } = readProfiles(env);
      byName.delete(name);
      writeProfiles(env, { default: defaultName === name ? undefined : defaultName, byName });
      out.note(`Signed out of ${profile.server} (profile "${name}").`);
    },
  }),
  command({
    name: 'whoami',
    summary: 'Show the signed-in user, the server and the profile',
    async run({ out, connect }) {
      const { call, server, profileName } = connect();
      const user = await call(users_get);
      out.record(user, user, [
        { header: 'NAME', value: (row) => row.name },
        { header: 'EMAIL', value: (row) => row.email },
        { header: 'ADMIN', value: (row) => row.is_admin },
        { header: 'SERVER', value: () => server },
        { header: 'PROFILE', value: () => profileName },
      ]);
    },
  }),
  command({
    name: 'password',
    summary: 'Change your password and end your sessions',
    options: { 'revoke-tokens': { summary: 'Also revoke all API tokens that you created, including the current one' } },
    async run({ options, out, connect }) {
      if (!isInteractive())
        throw wrongUsage("Can't ask for your passwords without a terminal.", 'Change your password in the console.');
      const { call } = connect();
      const current_password = await prompt('Current password: ', { secret: true });
      const new_password = await readNewPassword(false);
      const revoke_tokens = options['revoke-tokens'];
      await call(users_changePassword, { body: { current_password, new_password, revoke_tokens } });
      out.note(
        revoke_tokens
          ? 'Changed your password and revoked your API tokens. Sign in again: mooring login.'
          : 'Changed your password. Your API tokens stay valid.',
      );
    },
  }),
  command({
    name: 'profiles list',
    summary: 'List the profiles on this machine',
    run({ env, out }) {
      const { default: defaultName, byName } = readProfiles(env);
      const rows = [...byName].map(([profile, { server, name }]) => ({
        profile,
        server,
        name,
        is_default: profile === defaultName,
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
    summary: 'Set the default profile',
    arguments: { name: { summary: 'Name of the profile, as in "mooring profiles list"' } },
    run({ args, env, out }) {
      const [name, { server }] = getProfile(env, args.name);
      writeProfiles(env, { ...readProfiles(env), default: name });
      out.note(`Set the default profile to "${name}" (${server}).`);
    },
  }),
];
