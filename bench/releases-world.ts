import { newId } from '../packages/server/src/kernel/ids.ts';
import { migrated } from './seed.ts';

const BATCH = 200;

/** What the SDK in the app of this number shows. */
export const secretOf = (number: number | string): string =>
  `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** A migrated database with so many apps, each with a release that a public group was given. */
export async function seedReleases(location: string, count: number): Promise<void> {
  const database = await migrated(location);
  const ownerId = newId();
  const times = { created_at: 1, updated_at: 1 };
  const named = (name: string) => ({ name, name_key: name, display_name: name, display_name_key: name });
  await database.transaction(async (db) => {
    await db.query((q) =>
      q.insertInto('owners').values({ id: ownerId, kind: 'user', ...named('bench'), avatar_url: null, ...times }),
    );
    for (let at = 0; at < count; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => ({
        appId: newId(),
        groupId: newId(),
        number: at + n,
      }));
      await db.query((q) =>
        q.insertInto('apps').values(
          batch.map(({ appId, number }) => ({
            id: appId,
            owner_id: ownerId,
            ...named(`app-${number}`),
            description: null,
            icon_url: null,
            os: 'Android',
            platform: 'Java',
            release_type: null,
            app_secret: secretOf(number),
            ...times,
          })),
        ),
      );
      await db.query((q) =>
        q.insertInto('releases').values(
          batch.map(({ appId, number }) => ({
            app_id: appId,
            id: 1,
            version: '140',
            short_version: '1.4.0',
            kind: 'apk',
            file_name: 'app.apk',
            size: 31_457_280,
            sha256: number.toString(16).padStart(64, '0'),
            blob_key: `bench/${number}`,
            icon_path: null,
            bundle_identifier: `com.example.app${number}`,
            min_os: '8.0',
            min_api_level: '26',
            device_family: null,
            hashes: JSON.stringify([number.toString(16).padStart(64, '0')]),
            facts: JSON.stringify({ permissions: ['android.permission.INTERNET'] }),
            notes: 'Notes of quite usual length, as people write them for a release.',
            is_enabled: 1 as const,
            build: null,
            signatures: null,
            uploaded_at: 1,
          })),
        ),
      );
      await db.query((q) =>
        q.insertInto('distribution_groups').values(
          batch.map(({ appId, groupId }) => ({
            id: groupId,
            app_id: appId,
            org_id: null,
            name: 'Public',
            name_key: 'public',
            display_name: null,
            is_public: 1 as const,
            created_at: 1,
          })),
        ),
      );
      await db.query((q) =>
        q
          .insertInto('distribution_group_apps')
          .values(batch.map(({ appId, groupId }) => ({ group_id: groupId, app_id: appId, name_key: 'public' }))),
      );
      await db.query((q) =>
        q.insertInto('release_groups').values(
          batch.map(({ appId, groupId }) => ({
            app_id: appId,
            release_id: 1,
            group_id: groupId,
            is_mandatory: 0 as const,
            added_at: 1,
          })),
        ),
      );
    }
  });
  await database.close();
}
