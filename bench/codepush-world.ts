import { newId } from '../packages/server/src/kernel/ids.ts';
import { migrated } from './seed.ts';

const RELEASES = 20;
const BATCH = 200;

/** What devices show for the deployment of this number. */
export const keyOf = (number: number | string): string => `bench-deployment-${number}`;

/** A migrated database with so many deployments, each with its releases. */
export async function seedDeployments(location: string, count: number): Promise<void> {
  const database = await migrated(location);
  const [ownerId, appId] = [newId(), newId()];
  const times = { created_at: 1, updated_at: 1 };
  const names = { name: 'bench', name_key: 'bench', display_name: 'bench', display_name_key: 'bench' };
  await database.transaction(async (db) => {
    await db.query((q) =>
      q.insertInto('owners').values({ id: ownerId, kind: 'user', ...names, avatar_url: null, ...times }),
    );
    await db.query((q) =>
      q.insertInto('apps').values({
        id: appId,
        owner_id: ownerId,
        ...names,
        description: null,
        icon_url: null,
        os: 'Android',
        platform: 'React-Native',
        release_type: null,
        app_secret: newId(),
        ...times,
      }),
    );
    const packages = Array.from({ length: RELEASES }, (_, n) => ({
      id: `package-${n}`,
      blob_key: `package-${n}`,
      package_hash: n.toString(16).padStart(64, '0'),
      size: 5_853_567,
      is_zip: 1 as const,
      unused_since: null,
      created_at: 1,
    }));
    await db.query((q) => q.insertInto('codepush_packages').values(packages));
    for (let at = 0; at < count; at += BATCH) {
      const batch = Array.from({ length: Math.min(BATCH, count - at) }, (_, n) => ({
        id: newId(),
        app_id: appId,
        name: `Deployment ${at + n}`,
        key: keyOf(at + n),
        last_number: RELEASES,
        version: 1,
        created_at: 1,
      }));
      await db.query((q) => q.insertInto('codepush_deployments').values(batch));
      for (let number = 1; number <= RELEASES; number += 1) {
        const releases = batch.map(({ id }) => ({
          deployment_id: id,
          number,
          package_id: `package-${number - 1}`,
          range: '1.0.x',
          description: 'A description of quite usual length, as people write it for a release.',
          is_disabled: 0 as const,
          is_mandatory: 0 as const,
          rollout: number === RELEASES ? 50 : null,
          method: 'Upload' as const,
          original_label: null,
          original_deployment: null,
          released_by: 'bench@example.com',
          released_at: 1,
          upload_id: null,
        }));
        await db.query((q) => q.insertInto('codepush_releases').values(releases));
      }
    }
  });
  await database.close();
}
