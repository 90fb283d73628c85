import { endpoint, text } from '../../endpoint/index.ts';
import { AppPath } from '../../fields.ts';
import { AppGroupPath } from '../../groups/groups.contract.ts';
import { Type } from '../../type.ts';
import { ReleaseId } from '../releases.contract.ts';

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
  'A web page without scripts. Signed-in testers see the releases distributed to them. For others the page looks as if the app did not exist.';
const ofPublic = 'A web page without scripts. Pages of public groups are open to everyone, others to their testers.';

export const installPages_getApp = endpoint({
  ...common,
  id: 'installPages_getApp',
  method: 'GET',
  path: ofApp,
  summary: 'Show the latest release of an app that the visitor can install',
  description: signedIn,
  params: Type.Object({ ...OwnerType, ...AppPath }),
  response: page('The page.'),
});

export const installPages_getRelease = endpoint({
  ...common,
  id: 'installPages_getRelease',
  method: 'GET',
  path: `${ofApp}/releases/{release_id}`,
  summary: 'Show a release that the visitor can install',
  description: signedIn,
  params: Type.Object({ ...OwnerType, ...AppPath, release_id: ReleaseId }),
  response: page('The page.'),
});

export const installPages_getGroup = endpoint({
  ...common,
  id: 'installPages_getGroup',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}`,
  summary: 'Show the latest release of a distribution group, and earlier ones',
  description: ofPublic,
  params: Type.Object({ ...OwnerType, ...AppGroupPath }),
  response: page('The page.'),
});

export const installPages_getGroupRelease = endpoint({
  ...common,
  id: 'installPages_getGroupRelease',
  method: 'GET',
  path: `${ofApp}/distribution_groups/{distribution_group_name}/releases/{release_id}`,
  summary: 'Show a release of a distribution group',
  description: ofPublic,
  params: Type.Object({ ...OwnerType, ...AppGroupPath, release_id: ReleaseId }),
  response: page('The page.'),
});

export const installPages_getLink = endpoint({
  ...common,
  id: 'installPages_getLink',
  method: 'GET',
  path: '/install/links/{link}',
  summary: 'Show the release that a link in an email leads to',
  description:
    'A web page without scripts. The link identifies the tester who received it. It expires, and works only while the release is distributed to them.',
  params: Type.Object({ link: Type.String({ maxLength: 300 }) }),
  response: page('The page.'),
});
