import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from '../environment.ts';
import { Failure, notSignedIn, wrongUsage } from '../framework/errors.ts';

export const DEFAULT_SERVER = 'https://localhost:8443';
export const DEFAULT_PROFILE = 'default';

export interface Profile {
  server: string;
  /** Name of the user. */
  name: string;
  token: string;
  /** Set if this program created the token; signing out then revokes it. */
  token_id?: string;
}

export interface Profiles {
  /** The profile of the last sign-in. */
  default?: string;
  byName: Map<string, Profile>;
}

/** A server, and the token to use with it. */
export interface Identity {
  server: string;
  token?: string;
  profileName?: string;
}

function profilesFile(env: Environment): string {
  const xdg = env.XDG_CONFIG_HOME && path.isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : undefined;
  const folder = env.MOORING_CONFIG_DIR || path.join(xdg ?? path.join(homedir(), '.config'), 'mooring');
  return path.join(folder, 'profiles.json');
}

export function readProfiles(env: Environment): Profiles {
  const file = profilesFile(env);
  try {
    const { default: name, profiles } = JSON.parse(readFileSync(file, 'utf8'));
    return { default: name, byName: new Map(Object.entries<Profile>(profiles)) };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return { byName: new Map() };
    throw new Failure(`Can't read ${file}: ${message}`, { advice: 'Fix or delete the file, then sign in again.' });
  }
}

/** Writes the file atomically, readable by its owner only. */
export function writeProfiles(env: Environment, { default: name, byName }: Profiles): void {
  const file = profilesFile(env);
  const draft = `${file}.${randomUUID()}`;
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const content = { default: name, profiles: Object.fromEntries(byName) };
    writeFileSync(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Failure(`Can't write ${file}: ${(error as Error).message}`, {
      advice: 'Set MOORING_CONFIG_DIR to another folder.',
    });
  }
}

/** Normalizes the address of a server: removes a trailing slash, and `/v0.1`, which users copy with the API address. */
export function readServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw wrongUsage(`Invalid server address: "${text}".`, `Use a URL such as ${DEFAULT_SERVER}.`);
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+(v0\.1\/*)?$/, '');
}

export const getAnonymousIdentity = (env: Environment): Identity => ({
  server: readServer(env.MOORING_SERVER || DEFAULT_SERVER),
});

export const nameProfile = (env: Environment, requested: string | undefined): string | undefined =>
  requested || env.MOORING_PROFILE || undefined;

/** Finds the requested profile, or the default one. */
export function findProfile(env: Environment, requested: string | undefined): [name: string, Profile] | undefined {
  const { default: defaultName, byName } = readProfiles(env);
  const requestedName = nameProfile(env, requested);
  const name = requestedName ?? defaultName;
  const profile = name === undefined ? undefined : byName.get(name);
  if (name !== undefined && profile) return [name, profile];
  if (requestedName)
    throw notSignedIn(
      `Unknown profile "${requestedName}".`,
      `Create it by signing in: mooring login --profile ${requestedName}`,
    );
  return undefined;
}

function noProfile(env: Environment): Failure {
  const names = [...readProfiles(env).byName.keys()];
  if (names.length === 0) return notSignedIn('Not signed in.');
  return notSignedIn('No default profile is set.', `Choose a profile with --profile: ${names.join(', ')}.`);
}

export function getProfile(env: Environment, requested: string | undefined): [name: string, Profile] {
  const profile = findProfile(env, requested);
  if (!profile) throw noProfile(env);
  return profile;
}

/** Precedence: --profile, then the environment, then the default profile. */
export function findIdentity(env: Environment, requested: string | undefined): Identity | undefined {
  if (!requested && env.MOORING_TOKEN) {
    if (!env.MOORING_SERVER)
      throw wrongUsage('MOORING_TOKEN is set, but MOORING_SERVER is not.', 'Set both or neither.');
    return { server: readServer(env.MOORING_SERVER), token: env.MOORING_TOKEN };
  }
  const match = findProfile(env, requested);
  if (!match) return undefined;
  const [profileName, { server, token }] = match;
  if (!requested && env.MOORING_SERVER && readServer(env.MOORING_SERVER) !== server) {
    throw wrongUsage(
      `MOORING_SERVER is ${env.MOORING_SERVER}, but the profile "${profileName}" belongs to ${server}.`,
      'Set MOORING_TOKEN as well, unset MOORING_SERVER, or choose the profile with --profile.',
    );
  }
  return { server, token, profileName };
}

export function getIdentity(env: Environment, requested: string | undefined): Identity {
  const identity = findIdentity(env, requested);
  if (!identity) throw noProfile(env);
  return identity;
}
