import { endpoint, text } from '../endpoint/index.ts';
import { AppPath } from '../fields.ts';
import { AppGroupPath } from '../groups/groups.contract.ts';
import { Type } from '../type.ts';
import { ReleaseId } from './releases.contract.ts';

const OwnerType = { owner_type: Type.Enum(['users', 'orgs']) };

const common = {
  tag: 'install pages',
  access: 'public',
  effect: 'read',
  errorShape: 'page',
  errors: [404],
} as const;
const ofApp = '/install/{owner_type}/{owner_name}/apps/{app_name}';
const page = (description: string) => text({ type: 'text/html', description });
const signedIn =
  'For people: a page without scripts. Testers who are signed in see what was given to them; whoever may not see it is told no more than if it did not exist.';
const ofPublic =
  'For people: a page without scripts. That of a public group is open to everybody, any other to its testers.';

export const installPages_getApp = endpoint({
  ...common,
  id: 'installPages_getApp',
  method: 'GET',
  path: ofApp,
  summary: 'Shows the latest release of an app that the visitor can install',
  description: signedIn,
  params: Type.Object({ ...OwnerType, ...AppPath }),
  response: page('The page.'),
});

export const installPages_getRelease = endpoint({
  ...common,
  id: 'installPages_getRelease',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Shows a release that the visitor can install',
  description: signedIn,
  params: Type.Object({ ...OwnerType, ...AppPath, release_id: ReleaseId }),
  response: page('The page.'),
});

export const installPages_getGroup = endpoint({
  ...common,
  id: 'installPages_getGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}`,
  summary: 'Shows the latest release of a distribution group, and earlier ones',
  description: ofPublic,
  params: Type.Object({ ...OwnerType, ...AppGroupPath }),
  response: page('The page.'),
});

export const installPages_getGroupRelease = endpoint({
  ...common,
  id: 'installPages_getGroupRelease',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases/{release_id}`,
  summary: 'Shows a release of a distribution group',
  description: ofPublic,
  params: Type.Object({ ...OwnerType, ...AppGroupPath, release_id: ReleaseId }),
  response: page('The page.'),
});

export const installPages_getLink = endpoint({
  ...common,
  id: 'installPages_getLink',
  method: 'GET',
  path: '/install/links/{link}',
  summary: 'Shows the release that a link from a mail is for',
  description:
    'For people: a page without scripts. The link stands for the tester who got it, for a while, and as long as they have the release.',
  params: Type.Object({ link: Type.String({ maxLength: 300 }) }),
  response: page('The page.'),
});
