import type { Ctx } from '../../context.ts';
import { publish } from '../../jobs/index.ts';
import { listJobFiles, packageToTest } from '../runners/index.ts';
import type { BuildRow } from './builds.store.ts';

interface Chosen {
  testSeries?: unknown;
  deviceSelection?: unknown;
}

/** Which series tests each green build of a branch, and on what; `top_3_devices` of other clients is any. */
function readTests(settings: Record<string, unknown>): { series: string; selection: string } | undefined {
  const chosen = (settings.toolsets as { testcloud?: Chosen } | undefined)?.testcloud;
  if (typeof chosen?.testSeries !== 'string' || chosen.testSeries.trim() === '') return undefined;
  const { deviceSelection: asked } = chosen;
  const isNamed = typeof asked === 'string' && asked !== '' && !/^top_\d+_devices$/.test(asked);
  return { series: chosen.testSeries.trim().slice(0, 100), selection: isNamed ? asked.slice(0, 200) : 'any' };
}

/** In the transaction in which it ended; a build without a package is not tested. */
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
