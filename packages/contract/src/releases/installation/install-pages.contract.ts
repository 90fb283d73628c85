import { endpoint, parts, redirect, text } from '../../endpoint/index.ts';
import { FEEDBACK_MAX_BYTES, FEEDBACK_MAX_LENGTH, feedbackPictures } from '../../feedback/feedback.contract.ts';
import { AppPath } from '../../fields.ts';
import { AppGroupPath, OrgGroupPath } from '../../groups/groups.contract.ts';
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

export const installPages_getHome = endpoint({
  ...common,
  id: 'installPages_getHome',
  method: 'GET',
  path: '/install/',
  summary: 'Show all apps that the visitor can install',
  description:
    'A web page without scripts, for testers: the latest release of each app that was distributed to them, and whether it is newer than the one they installed from here. Can be installed as a web app.',
  errors: [],
  response: page('The page.'),
});

export const installPages_getSharedGroup = endpoint({
  ...common,
  id: 'installPages_getSharedGroup',
  method: 'GET',
  path: '/install/orgs/{org_name}/distribution_groups/{distribution_group_name}',
  summary: 'Show all apps of a shared distribution group',
  description: ofPublic,
  params: Type.Object(OrgGroupPath),
  response: page('The page.'),
});

export const installPages_getManifest = endpoint({
  ...common,
  id: 'installPages_getManifest',
  method: 'GET',
  path: '/install/app.webmanifest',
  summary: 'Get the manifest that makes the install pages a web app',
  errors: [],
  response: text({
    type: 'application/manifest+json',
    cache: 'public, max-age=86400',
    description: 'The name, colors and icons.',
  }),
});

export const installPages_getIcon = endpoint({
  ...common,
  id: 'installPages_getIcon',
  method: 'GET',
  path: '/install/icons/{size}',
  summary: 'Get the icon of the install pages',
  params: Type.Object({ size: Type.Enum(['192', '512']) }),
  errors: [],
  response: text({ type: 'image/png', cache: 'public, max-age=86400', description: 'A square image.' }),
});

export const installPages_download = endpoint({
  ...common,
  id: 'installPages_download',
  method: 'GET',
  path: '/install/downloads/{link}',
  summary: 'Download a release from an install page',
  description:
    'Redirects to the file and remembers that the tester of the link has this release. Without access, or after the link has expired, redirects to the list of apps.',
  params: Type.Object({ link: Type.String({ maxLength: 300 }) }),
  errors: [],
  response: redirect({ description: 'The file, or the list of apps.' }),
});

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

const feedback = {
  ...common,
  path: '/install/feedback/{app_id}/{release_id}',
  alsoNeeds: 'the token in the link on the install page',
  params: Type.Object({ app_id: Type.String({ maxLength: 100 }), release_id: ReleaseId }),
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
} as const;

export const installPages_getFeedback = endpoint({
  ...feedback,
  id: 'installPages_getFeedback',
  method: 'GET',
  summary: 'Show the form for feedback about a release',
  description: 'A web page without scripts. The install page of the release links to it.',
  response: page('The page.'),
});

export const installPages_sendFeedback = endpoint({
  ...feedback,
  id: 'installPages_sendFeedback',
  method: 'POST',
  summary: 'Send feedback about a release from its install page',
  description: `With up to ${feedbackPictures.maxFiles} pictures. 429 if the app or the address has sent too much within an hour.`,
  effect: 'ingest',
  headers: Type.Object({
    'accept-language': Type.Optional(Type.String({ description: 'The language of the tester.' })),
  }),
  request: parts(
    Type.Object({
      text: Type.String({ minLength: 1, maxLength: FEEDBACK_MAX_LENGTH, pattern: '\\S' }),
      name: Type.Optional(Type.String({ maxLength: 200 })),
      email: Type.Optional(Type.String({ maxLength: 254 })),
      model: Type.Optional(Type.String({ maxLength: 100, description: 'The device of the tester.' })),
    }),
    { files: feedbackPictures, maxBytes: FEEDBACK_MAX_BYTES },
  ),
  response: page('A page that confirms it.'),
  errors: [404, 415, 429],
});
