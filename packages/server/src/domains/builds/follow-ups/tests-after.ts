import type { Ctx } from '../../../context.ts';
import { publish } from '../../../jobs/index.ts';
import { packageToTest } from '../../packages/index.ts';
import { listJobFiles } from '../../runners/index.ts';
import type { BuildRow } from '../builds.store.ts';

interface Chosen {
  testSeries?: unknown;
  deviceSelection?: unknown;
}

/** The test series and devices for successful builds of a branch. `top_3_devices` of other clients means any device. */
function readTests(settings: Record<string, unknown>): { series: string; selection: string } | undefined {
  const chosen = (settings.toolsets as { testcloud?: Chosen } | undefined)?.testcloud;
  if (typeof chosen?.testSeries !== 'string' || chosen.testSeries.trim() === '') return undefined;
  const { deviceSelection: selection } = chosen;
  const isNamed = typeof selection === 'string' && selection !== '' && !/^top_\d+_devices$/.test(selection);
  return { series: chosen.testSeries.trim().slice(0, 100), selection: isNamed ? selection.slice(0, 200) : 'any' };
}

/** Call in the transaction that finishes the build. Builds without a package are not tested. */
export async function startTests(ctx: Ctx, row: BuildRow, settings: Record<string, unknown>): Promise<void> {
  const tests = readTests(settings);
  const files = tests ? await listJobFiles(ctx, row.job_id) : [];
  const made = files.find(({ kind, name }) => kind === 'build' && /\.(apk|ipa|app\.zip)$/i.test(name));
  if (!tests || !made) return;
  const { key, name, size, sha256 } = made;
  await publish(ctx, packageToTest, {
    appId: row.app_id,
    buildId: row.id,
    package: { key, name, size, sha256 },
    ...tests,
  });
}
