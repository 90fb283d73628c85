import {
  codePushAcquisition_updateDownloadStatus,
  codePushAcquisition_updateInstallsStatus,
  codePushDeploymentReleases_create,
  codePushDeployments_create,
  codePushDeployments_promote,
  codePushDeploymentUpload_put,
  deploymentReleases_update,
} from '@mooring/contract';
import { MINUTE } from '../../packages/server/src/kernel/clock.ts';
import { createZip } from '../samples/zips.ts';
import { getManager, toAppPath } from './community.ts';
import { apps, type DemoApp } from './orgs.ts';
import type { Story } from './plot.ts';

const BINARY = '2.1.0';

/**
 * The content of a small update, the percentage of devices that installed it, and the percentage of those that rolled
 * it back.
 */
const changes: { description: string; taken: number; failed: number }[] = [
  { description: 'Show the price of a crossing before the date is selected.', taken: 96, failed: 1 },
  { description: 'Add pier names in three more languages.', taken: 94, failed: 0 },
  { description: 'Send a crossing to a friend.', taken: 81, failed: 17 },
  { description: 'Send a crossing to a friend. Fixes a crash on older phones.', taken: 88, failed: 1 },
  { description: 'Enlarge the boarding code.', taken: 74, failed: 1 },
];

/** CodePush updates of JavaScript apps: tried in one deployment, then promoted to all devices. */
export function planUpdates({ stage, at, days, chance }: Story): void {
  for (const app of apps.filter(({ name }) => name.startsWith('tickets-'))) {
    const keys: Record<string, string> = {};
    const manager = getManager(app);
    const deployment = (deployment_name: string) => ({ ...toAppPath(app), deployment_name });
    stage.plan(at(days - 70, 10), async () => {
      const call = await stage.as(manager);
      for (const name of ['Staging', 'Production']) {
        const { key = '' } = await call(codePushDeployments_create, { params: toAppPath(app), body: { name } });
        keys[name] = key;
      }
    });
    for (const [n, { description, taken, failed }] of changes.entries()) {
      const day = days - 62 + 12 * n;
      const label = `v${n + 1}`;
      const isNewest = n === changes.length - 1;
      stage.plan(at(day, 11), async () => {
        const call = await stage.as(manager);
        const id = stage.system().newId();
        const file = new Blob([new Uint8Array(createBundle(app, n))], { type: 'application/zip' });
        const params = { ...deployment('Staging'), upload_id: id };
        await call(codePushDeploymentUpload_put, { params, headers: {}, file });
        const body = { release_upload: { id }, target_binary_version: `^${BINARY}`, description };
        await call(codePushDeploymentReleases_create, { params: deployment('Staging'), body });
        await stage.runJobs();
      });
      stage.plan(at(day + 2, 9), async () => {
        const params = { ...deployment('Staging'), promote_deployment_name: 'Production' };
        const body = isNewest ? { rollout: 50 } : { rollout: 20 };
        await (await stage.as(manager))(codePushDeployments_promote, { params, body });
      });
      // The share of devices that installed it, growing over time.
      for (const part of [0, 1, 2]) {
        stage.plan(at(day + 3 + part, 18), async () => {
          const devices = Math.round((taken * (isNewest ? 0.5 : 1)) / 3);
          for (let device = 0; device < devices; device += 1) {
            const client_unique_id = `${app.name}-${n}-${part}-${device}`;
            const report = { deployment_key: keys.Production, app_version: BINARY, label, client_unique_id };
            await stage.anybody(codePushAcquisition_updateDownloadStatus, { body: report });
            const hasFailed = chance.between(1, 100) <= failed;
            const status = hasFailed ? 'DeploymentFailed' : 'DeploymentSucceeded';
            const before = n === 0 ? BINARY : `v${n}`;
            const previous = { previous_label_or_app_version: before, previous_deployment_key: keys.Production };
            await stage.anybody(codePushAcquisition_updateInstallsStatus, { body: { ...report, ...previous, status } });
          }
        });
      }
      if (isNewest) continue;
      stage.plan(at(day + 4, 10), async () => {
        const params = { ...deployment('Production'), release_label: label };
        await (await stage.as(manager))(deploymentReleases_update, { params, body: { rollout: 100 } });
      });
      if (failed < 10) continue;
      stage.plan(at(day + 6, 8) + 20 * MINUTE, async () => {
        const params = { ...deployment('Production'), release_label: label };
        await (await stage.as(manager))(deploymentReleases_update, { params, body: { is_disabled: true } });
      });
    }
  }
}

/** A bundle whose scripts differ slightly each time, with images that stay the same. */
function createBundle({ name, os }: DemoApp, n: number): Buffer {
  const script = os === 'iOS' ? 'main.jsbundle' : 'index.android.bundle';
  const pictures = Array.from({ length: 8 }, (_, at) => ({
    path: `CodePush/assets/pier-${at}.svg`,
    content: `<svg xmlns="http://www.w3.org/2000/svg"><circle r="${10 + at}"/></svg>`.repeat(200),
  }));
  const content = Array.from({ length: 400 }, (_, line) => `step(${line === n ? -1 : line}, "${name}");`).join('\n');
  return createZip([{ path: `CodePush/${script}`, content }, ...pictures]);
}
