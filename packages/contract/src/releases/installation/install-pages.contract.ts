import { endpoint, parts, text } from '../../endpoint/index.ts';
import { FEEDBACK_MAX_BYTES, FEEDBACK_MAX_LENGTH, feedbackPictures } from '../../feedback/feedback.contract.ts';
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
