import { avatars_get } from '../avatars/avatars.contract.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { picture } from '../fixtures/picture.ts';
import { appFavorites_add } from './app-favorites.contract.ts';
import { apps_create, apps_createForOrg, apps_updateAvatar } from './apps.contract.ts';

const needle = { name: 'compass', display_name: 'Needle', os: 'Android', platform: 'Java' } as const;
const compass = { name: 'compass', display_name: 'Compass', os: 'Android', platform: 'Java' } as const;
const tides = { name: 'tide-table', display_name: 'Tide Table', os: 'iOS', platform: 'Objective-C-Swift' } as const;
const sextant = { name: 'sextant', display_name: 'Sextant', os: 'Linux', platform: 'Electron' } as const;

/** Apps of Ada, of Grace and of an organization. */
export async function addApps(fixtures: Fixtures): Promise<void> {
  const { ada, grace } = fixtures;
  await ada.call(apps_create, { body: needle });
  await grace.call(apps_create, { body: sextant });
  for (const body of [compass, tides]) {
    await ada.call(apps_createForOrg, { params: { org_name: 'lighthouse' }, body: { ...body, release_type: 'Beta' } });
  }
  await ada.call(appFavorites_add, { params: { owner_name: 'lighthouse', app_name: 'tide-table' }, body: {} });
  const params = { owner_name: 'ada', app_name: 'compass' };
  const { icon_url = '' } = await ada.call(apps_updateAvatar, { params, file: picture });
  putId(fixtures, avatars_get, 'avatar_name', icon_url.split('/').at(-1) ?? '');
}
