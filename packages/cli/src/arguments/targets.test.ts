import { expect, it } from 'vitest';
import { readLink } from '../commands/organizations/invitations.ts';
import { exitCodes } from '../framework/errors.ts';
import { findTarget, getTarget, getTargetKind, readAccount, readApp } from './targets.ts';

const isWrongUsage = expect.objectContaining({ exitCode: exitCodes.usage });

it('splits an app and a service account into two names', () => {
  expect(readApp('ada/compass')).toEqual({ owner_name: 'ada', app_name: 'compass' });
  expect(readAccount('lighthouse/robot')).toEqual({ org_name: 'lighthouse', account_name: 'robot' });
});

it.each(['', 'compass', 'ada/', '/compass', 'a/b/c'])('refuses "%s" as an app', (text) => {
  expect(() => readApp(text)).toThrow(isWrongUsage);
});

it('accepts an organization or an app, not both, as an option', () => {
  expect(findTarget({ org: 'lighthouse' })).toEqual({ org: { org_name: 'lighthouse' } });
  expect(findTarget({ app: 'ada/compass' })).toEqual({ app: { owner_name: 'ada', app_name: 'compass' } });
  expect(findTarget({})).toBeUndefined();
  expect(() => findTarget({ org: 'a', app: 'a/b' })).toThrow(isWrongUsage);
});

it('tells an app, an organization and a subscription apart by their form', () => {
  expect(getTarget({ 'app|org': 'ada/compass' })).toEqual({ app: { owner_name: 'ada', app_name: 'compass' } });
  expect(getTarget({ 'app|org': 'lighthouse' })).toEqual({ org: { org_name: 'lighthouse' } });
  expect(() => getTarget({ 'app|org': 'ada/' })).toThrow(isWrongUsage);
  expect(getTargetKind('ada/compass')).toBe('app');
  expect(getTargetKind('lighthouse')).toBe('org');
  expect(getTargetKind('5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b11')).toBe('subscription');
});

it.each([
  ['https://mooring.example.com/invitations/org/Zk3v9x', 'org'],
  ['https://mooring.example.com/invitations/app/Zk3v9x/', 'app'],
  ['org/Zk3v9x', 'org'],
])('reads the link %s', (link, kind) => expect(readLink(link)).toEqual({ kind, invitation_token: 'Zk3v9x' }));

it.each(['', 'Zk3v9x', 'https://mooring.example.com/', 'https://x/invitations/team/Zk3v9x', 'org/a b'])(
  'refuses "%s" as a link',
  (link) => expect(() => readLink(link)).toThrow(isWrongUsage),
);
