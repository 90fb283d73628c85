import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Environment } from './environment.ts';
import { Failure, notSignedIn, wrongUsage } from './framework/errors.ts';

export const DEFAULT_SERVER = 'https://localhost:8443';
export const DEFAULT_PROFILE = 'default';

export interface Profile {
  server: string;
  /** Name of the user. */
  name: string;
  token: string;
  /** Only when this program made the token: then signing out revokes it. */
  token_id?: string;
}

export interface Profiles {
  /** The profile of the last sign-in. */
  default?: string;
  byName: Map<string, Profile>;
}

/** Where to speak and as whom. */
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
    throw new Failure(`${file} cannot be read: ${message}`, { advice: 'Mend or delete it, then sign in again.' });
  }
}

/** Readable for the owner only, and never half written. */
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
    throw new Failure(`${file} cannot be written: ${(error as Error).message}`, {
      advice: 'Choose another folder with MOORING_CONFIG_DIR.',
    });
  }
}

/** The address of a server as it is kept: no trailing slash, and no `/v0.1`, which the server prints with it. */
export function readServer(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.search || url.hash) {
    throw wrongUsage(`"${text}" is not the address of a server.`, `Write it like ${DEFAULT_SERVER}.`);
  }
  return url.origin + url.pathname.replace(/(?<!\/)\/+(v0\.1\/*)?$/, '');
}

export const anybody = (env: Environment): Identity => ({ server: readServer(env.MOORING_SERVER || DEFAULT_SERVER) });

export const nameProfile = (env: Environment, asked: string | undefined): string | undefined =>
  asked || env.MOORING_PROFILE || undefined;

/** The profile that was asked for, or else the default one. */
export function findProfile(env: Environment, asked: string | undefined): [name: string, Profile] | undefined {
  const { default: usual, byName } = readProfiles(env);
  const wanted = nameProfile(env, asked);
  const name = wanted ?? usual;
  const profile = name === undefined ? undefined : byName.get(name);
  if (name !== undefined && profile) return [name, profile];
  if (wanted)
    throw notSignedIn(`There is no profile "${wanted}".`, `Sign in with "mooring login --profile ${wanted}".`);
  return undefined;
}

function noProfile(env: Environment): Failure {
  const names = [...readProfiles(env).byName.keys()];
  if (names.length === 0) return notSignedIn('You are not signed in.');
  return notSignedIn('No profile is the default one.', `Choose one with --profile: ${names.join(', ')}.`);
}

export function getProfile(env: Environment, asked: string | undefined): [name: string, Profile] {
  const found = findProfile(env, asked);
  if (!found) throw noProfile(env);
  return found;
}

/** A profile named on the command line wins over the environment, and that over the default profile. */
export function findIdentity(env: Environment, asked: string | undefined): Identity | undefined {
  if (!asked && env.MOORING_TOKEN) {
    if (!env.MOORING_SERVER)
      throw wrongUsage('MOORING_TOKEN is set, but MOORING_SERVER is not.', 'Set both, or neither.');
    return { server: readServer(env.MOORING_SERVER), token: env.MOORING_TOKEN };
  }
  const found = findProfile(env, asked);
  if (!found) return undefined;
  const [profileName, { server, token }] = found;
  if (!asked && env.MOORING_SERVER && readServer(env.MOORING_SERVER) !== server) {
    throw wrongUsage(
      `MOORING_SERVER is ${env.MOORING_SERVER}, but the profile "${profileName}" belongs to ${server}.`,
      'Set MOORING_TOKEN too, unset MOORING_SERVER, or name the profile with --profile.',
    );
  }
  return { server, token, profileName };
}

export function getIdentity(env: Environment, asked: string | undefined): Identity {
  const found = findIdentity(env, asked);
  if (!found) throw noProfile(env);
  return found;
}
