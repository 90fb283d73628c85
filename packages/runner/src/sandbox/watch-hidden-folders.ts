import type { RunnerOptions } from '../options.ts';
import { findHiddenConflict, findPrivateFolders, namedHiddenFolders } from './hidden-folders.ts';

const SCAN_INTERVAL_MS = 10 * 60_000;

/** Scans for private folders at the start and every ten minutes, so that jobs don't wait for a scan. */
export async function watchHiddenFolders({
  folder,
  sandbox,
  signal,
  log,
}: RunnerOptions): Promise<{ current(): readonly string[] }> {
  const configured = [folder, ...namedHiddenFolders(process.env)];
  if (sandbox !== 'bubblewrap') return { current: () => configured };
  const conflict = findHiddenConflict(configured);
  if (conflict !== undefined) throw new Error(conflict);
  let folders = await findPrivateFolders();
  for (const place of folders.filter((one) => !configured.includes(one)))
    log(`Hidden from jobs: ${place}, a private folder.`);
  const scan = async () => {
    folders = await findPrivateFolders();
  };
  const timer = setInterval(() => void scan().catch(() => undefined), SCAN_INTERVAL_MS).unref();
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  return { current: () => [...configured, ...folders] };
}
