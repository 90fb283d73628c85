import { endpoint, text } from '../../endpoint/index.ts';
import { AppGroupPath } from '../../groups/groups.contract.ts';
import { Type } from '../../type.ts';

const common = { tag: 'in-app updates', effect: 'read', errorShape: 'flat', errors: [404] } as const;
const ofGroup = '/v0.1/apps/{owner_name}/{app_name}/distribution_groups/{distribution_group_name}';
const appcast = text({ type: 'application/rss+xml', description: 'An appcast, newest release first.' });

export const releases_getSparkleFeed = endpoint({
  ...common,
  id: 'releases_getSparkleFeed',
  method: 'GET',
  path: '/v0.1/public/sparkle/apps/{app_secret}',
  summary: 'Get the appcast that Sparkle reads to update an app, with releases of its public groups',
  description: 'Set signatures with releases_update (metadata.ed_signature, metadata.dsa_signature).',
  access: 'appSecret',
  params: Type.Object({ app_secret: Type.String({ maxLength: 100 }) }),
  response: appcast,
});

export const releases_getAppcast = endpoint({
  ...common,
  id: 'releases_getAppcast',
  method: 'GET',
  path: `${ofGroup}/appcast`,
  summary: 'Get the appcast of a distribution group',
  description: 'Public groups require no credential.',
  access: 'groupReleases',
  params: Type.Object(AppGroupPath),
  response: appcast,
});

export const releases_getAppInstaller = endpoint({
  ...common,
  id: 'releases_getAppInstaller',
  method: 'GET',
  path: `${ofGroup}/appinstaller`,
  summary:
    'Get the App Installer file that Windows reads to install and update the latest package of a distribution group',
  description: 'For .msix, .appx and their bundles. Public groups require no credential.',
  access: 'groupReleases',
  params: Type.Object(AppGroupPath),
  response: text({ type: 'application/appinstaller', description: 'An App Installer file.' }),
});
