import type { Config } from '../config.ts';
import type { Deps } from '../context.ts';
import { noteSettings } from '../kernel/files/shared-folder.ts';

/**
 * Settings that all servers on one data folder must share; otherwise links fail, or one server loses files of another.
 */
const sharedSettings = (config: Config) => ({
  MOORING_PUBLIC_URL: config.publicUrl ?? `https://localhost:${config.httpsPort}`,
  MOORING_DATABASE_URL: config.databaseUrl,
  MOORING_SECRET_KEY: config.secretKey?.toString('base64'),
  MOORING_BLOB_STORE: JSON.stringify(config.blobStore),
});

/**
 * Warns if another server uses the data folder with different settings. Returns a function that withdraws this server's
 * entry.
 */
export function claimDataFolder({ config, log }: Deps): () => Promise<void> {
  const note = noteSettings(config.dataDir, sharedSettings(config));
  if (note.warning) log.warn(note.warning);
  return async () => note.remove();
}

/** Refuses to start if files cannot be stored, so that an administrator notices before the first upload fails. */
export async function checkBlobs({ blobs }: Deps): Promise<void> {
  try {
    await blobs.check();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`can't write files to MOORING_BLOB_STORE (${reason}).`, { cause });
  }
}
