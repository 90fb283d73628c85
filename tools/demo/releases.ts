import { releases_update, releases_updateDetails, releaseUploads_put } from '@mooring/contract';
import { HOUR } from '../../packages/server/src/kernel/clock.ts';
import { toDay } from '../../packages/server/src/telemetry/index.ts';
import { createApk, createIpa } from '../samples/packages.ts';
import { findBuiltCommit } from './builds.ts';
import { getManager, toAppPath } from './community.ts';
import { listVersions } from './devices.ts';
import { drawIcon } from './icon.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Story } from './plot.ts';
import { usages } from './usage.ts';

/** Older releases were deleted. */
const MAX_RELEASES = 10;

const groupByApp: Record<string, string> = {
  'timetable-ios': 'Beta testers',
  'tickets-android': 'Beta testers',
  'lanternfall-android': 'Closed beta',
};

const news = [
  '- Departures load twice as fast on slow networks.\n- Tap a pier to see its weather.',
  '- The boarding code is brighter.\n- Fixed: canceled crossings stayed in the list.',
  "- Search finds routes by pier name.\n- Text follows the system's font size.",
  '- Works offline for a day.\n- Fixed: the app crashed when a ticket was opened twice.',
];

/** A package for each version that devices report, distributed to testers. */
export function planReleases({ stage, at, days }: Story): void {
  const [start, end] = [toDay(stage.now()), at(days, 0)];
  for (const usage of usages) {
    const app = apps.find(({ name }) => name === usage.app) as DemoApp;
    const versions = listVersions(usage, end).slice(-MAX_RELEASES);
    for (const [n, { version: short_version, build, day }] of versions.entries()) {
      const isNewest = n === versions.length - 1;
      stage.plan(at(day - start, 9), async () => {
        const call = await stage.as(getManager(app));
        const params = toAppPath(app);
        const bytes = createPackage(app, short_version, build);
        const file = new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' });
        const file_name = `${app.name}-${short_version}.${app.os === 'iOS' ? 'ipa' : 'apk'}`;
        await call(releaseUploads_put, { params, query: { file_name }, headers: {}, file });
        await stage.runJobs();
        const release = { ...params, release_id: String(n + 1) };
        const commit = app.name === 'tickets-android' ? findBuiltCommit(day - start, days) : undefined;
        await call(releases_update, {
          params: release,
          body: {
            destinations: [{ name: groupByApp[app.name] ?? 'Internal' }],
            release_notes: `What's new in ${short_version}\n\n${news[n % news.length]}`,
            mandatory_update: n % 4 === 3,
            notify_testers: isNewest,
            ...(commit ? { build: commit } : {}),
          },
        });
      });
      // One of them caused more problems than it fixed, and was disabled.
      if (n === versions.length - 3) {
        stage.plan(at(day - start + 2, 10) + HOUR, async () => {
          const params = { ...toAppPath(app), release_id: String(n + 1) };
          await (await stage.as(getManager(app)))(releases_updateDetails, { params, body: { enabled: false } });
        });
      }
    }
  }
}

function createPackage({ name, displayName: label, os }: DemoApp, shortVersion: string, build: string): Buffer {
  const icon = drawIcon(name);
  const id = `example.${name.replaceAll('-', '.')}`;
  return os === 'iOS'
    ? createIpa({ id, label, icon, shortVersion, version: build, udids: 'all' })
    : createApk({ name: id, label, icon, shortVersion, version: Number(build) });
}
