import { releases_update, releases_updateDetails, releaseUploads_put } from '@mooring/contract';
import { HOUR } from '../../packages/server/src/kernel/clock.ts';
import { dayOf } from '../../packages/server/src/telemetry/index.ts';
import { apkOf, ipaOf } from '../packages.ts';
import { managerOf, pathOf } from './community.ts';
import { versionsOf } from './devices.ts';
import { iconOf } from './icon.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Story } from './plot.ts';
import { usages } from './usage.ts';

/** Older ones were deleted since. */
const KEPT = 10;

const groupOf: Record<string, string> = {
  'timetable-ios': 'Beta testers',
  'tickets-android': 'Beta testers',
  'lanternfall-android': 'Closed beta',
};

const news = [
  '- Departures load twice as fast on a slow network.\n- A tap on a pier shows the weather there.',
  '- The code to board is brighter.\n- Mended: a crossing that was cancelled stayed in the list.',
  '- Search finds routes by the name of a pier.\n- Texts are larger where the system asks for it.',
  '- Works without a network for a day.\n- Mended: the app closed when a ticket was opened twice.',
];

/** Each version that devices told of, as a package that testers were given. */
export function planReleases({ stage, at, days }: Story): void {
  const [start, end] = [dayOf(stage.now()), at(days, 0)];
  for (const usage of usages) {
    const app = apps.find(({ name }) => name === usage.app) as DemoApp;
    const versions = versionsOf(usage, end).slice(-KEPT);
    for (const [n, { version: short_version, build, day }] of versions.entries()) {
      const isNewest = n === versions.length - 1;
      stage.plan(at(day - start, 9), async () => {
        const call = await stage.as(managerOf(app));
        const params = pathOf(app);
        const bytes = packageOf(app, short_version, build);
        const file = new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' });
        const file_name = `${app.name}-${short_version}.${app.os === 'iOS' ? 'ipa' : 'apk'}`;
        await call(releaseUploads_put, { params, query: { file_name }, headers: {}, file });
        await stage.runJobs();
        const release = { ...params, release_id: String(n + 1) };
        await call(releases_update, {
          params: release,
          body: {
            destinations: [{ name: groupOf[app.name] ?? 'Internal' }],
            release_notes: `What is new in ${short_version}\n\n${news[n % news.length]}`,
            mandatory_update: n % 4 === 3,
            notify_testers: isNewest,
          },
        });
      });
      // One of them broke more than it mended, and nobody gets it any more.
      if (n === versions.length - 3) {
        stage.plan(at(day - start + 2, 10) + HOUR, async () => {
          const params = { ...pathOf(app), release_id: String(n + 1) };
          await (await stage.as(managerOf(app)))(releases_updateDetails, { params, body: { enabled: false } });
        });
      }
    }
  }
}

function packageOf({ name, displayName: label, os }: DemoApp, shortVersion: string, build: string): Buffer {
  const icon = iconOf(name);
  const id = `example.${name.replaceAll('-', '.')}`;
  return os === 'iOS'
    ? ipaOf({ id, label, icon, shortVersion, version: build, udids: 'all' })
    : apkOf({ name: id, label, icon, shortVersion, version: Number(build) });
}
