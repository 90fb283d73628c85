import { statement } from '../releases.tables.ts';

/** The newest release of a version, or of a version and build number. */
export const findReleaseByVersion = statement((q, p: { appId: string; shortVersion: string; version: string }) =>
  q
    .selectFrom('releases')
    .select('id')
    .where('app_id', '=', p.appId)
    .where('short_version', '=', p.shortVersion)
    .where('version', '=', p.version)
    .orderBy('id', 'desc')
    .limit(1),
);
