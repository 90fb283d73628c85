import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Environment } from '../environment.ts';
import { exitCodes } from '../framework/errors.ts';
import {
  findIdentity,
  getIdentity,
  getProfile,
  type Profile,
  readProfiles,
  readServer,
  writeProfiles,
} from './profile.ts';

const ada: Profile = { server: 'https://one.example', name: 'ada', token: 'moor_u_1', token_id: 'id-1' };
const grace: Profile = { server: 'https://two.example', name: 'grace', token: 'moor_u_2' };

let scratch: string;
let env: Environment;
beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'mooring-cli-'));
  env = { MOORING_CONFIG_DIR: path.join(scratch, 'config') };
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const save = (defaultName: string | undefined, ...profiles: [string, Profile][]) =>
  writeProfiles(env, { default: defaultName, byName: new Map(profiles) });
const getMode = (file: string): number => statSync(file).mode & 0o777;

describe('profiles.json', () => {
  it('preserves profiles when written and read', () => {
    save('work', ['work', ada], ['__proto__', grace]);
    expect(readProfiles(env)).toEqual({
      default: 'work',
      byName: new Map([
        ['work', ada],
        ['__proto__', grace],
      ]),
    });
  });

  it('is readable by its owner only, and leaves no temporary file', () => {
    const folder = String(env.MOORING_CONFIG_DIR);
    save('work', ['work', ada]);
    writeFileSync(path.join(folder, 'profiles.json'), '{"profiles":{}}', { mode: 0o644 });
    save('work', ['work', ada]);
    expect(getMode(folder)).toBe(0o700);
    expect(getMode(path.join(folder, 'profiles.json'))).toBe(0o600);
    expect(readdirSync(folder)).toEqual(['profiles.json']);
  });

  it.each([
    [{ XDG_CONFIG_HOME: 'absolute' }, 'absolute/mooring'],
    [{ XDG_CONFIG_HOME: 'absolute', MOORING_CONFIG_DIR: 'chosen' }, 'chosen'],
  ])('with %o is stored in %s', (settings, folder) => {
    env = Object.fromEntries(
      Object.entries(settings).map(([name, value]) => [name, path.join(scratch, String(value))]),
    );
    save('work', ['work', ada]);
    expect(readdirSync(path.join(scratch, folder))).toEqual(['profiles.json']);
  });

  it('reports invalid JSON', () => {
    save('work', ['work', ada]);
    writeFileSync(path.join(String(env.MOORING_CONFIG_DIR), 'profiles.json'), '{');
    expect(() => readProfiles(env)).toThrow(/Can't read .*profiles\.json/);
  });
});

describe('the identity', () => {
  const both = { MOORING_SERVER: 'https://ci.example/', MOORING_TOKEN: 'moor_u_ci' };
  it.each([
    [{}, undefined, { server: ada.server, token: ada.token, profileName: 'work' }],
    [{ MOORING_PROFILE: 'home' }, undefined, { server: grace.server, token: grace.token, profileName: 'home' }],
    [{ MOORING_PROFILE: 'work' }, 'home', { server: grace.server, token: grace.token, profileName: 'home' }],
    [both, undefined, { server: 'https://ci.example', token: 'moor_u_ci' }],
    [both, 'work', { server: ada.server, token: ada.token, profileName: 'work' }],
    [{ MOORING_SERVER: ada.server }, undefined, { server: ada.server, token: ada.token, profileName: 'work' }],
  ])('is chosen by %o and --profile %s', (settings, requested, identity) => {
    save('work', ['work', ada], ['home', grace]);
    expect(getIdentity({ ...env, ...settings }, requested)).toEqual(identity);
  });

  it('never combines the token of a profile with another server', () => {
    save('work', ['work', ada]);
    expect(() => findIdentity({ ...env, MOORING_SERVER: 'https://evil.example' }, undefined)).toThrow(
      expect.objectContaining({ exitCode: exitCodes.usage }),
    );
  });

  it('requires MOORING_SERVER with MOORING_TOKEN', () => {
    expect(() => findIdentity({ ...env, MOORING_TOKEN: 'moor_u_ci' }, undefined)).toThrow(
      expect.objectContaining({ exitCode: exitCodes.usage }),
    );
  });

  it('is missing before the first sign-in, without a default profile, or with an unknown profile', () => {
    const notSignedIn = expect.objectContaining({ exitCode: exitCodes.notSignedIn });
    expect(findIdentity(env, undefined)).toBeUndefined();
    expect(() => getProfile(env, undefined)).toThrow(notSignedIn);
    save(undefined, ['home', grace]);
    expect(() => getIdentity(env, undefined)).toThrow(notSignedIn);
    expect(() => getIdentity(env, 'work')).toThrow(notSignedIn);
  });
});

describe('the address of a server', () => {
  it.each([
    ['https://localhost:8443', 'https://localhost:8443'],
    ['https://Localhost:8443/', 'https://localhost:8443'],
    ['https://example.com/v0.1', 'https://example.com'],
    ['http://example.com/mooring/v0.1/', 'http://example.com/mooring'],
  ])('normalizes %s to %s', (text, expected) => expect(readServer(text)).toBe(expected));

  it.each(['localhost:8443', 'example.com', 'ftp://example.com', 'https://ada:x@example.com', 'https://example.com?x'])(
    'rejects %s',
    (text) => expect(() => readServer(text)).toThrow(expect.objectContaining({ exitCode: exitCodes.usage })),
  );
});
