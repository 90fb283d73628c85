import type { Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { defineJob, enqueue } from '../../../jobs/index.ts';
import { Unreadable } from '../../../workers/unreadable.ts';
import { getApp, getAppRef } from '../../apps/index.ts';
import { adoptSymbols } from '../../symbols/index.ts';
import { readPackage } from './package-reading.ts';

interface MadeFile {
  key: string;
  name: string;
  size: number;
}

/** A mapping that was created together with a package. */
export interface BuiltMapping {
  appId: string;
  mapping: MadeFile;
  package: MadeFile & { sha256: string };
}

export const mappingAdopt = defineJob<BuiltMapping>('mapping.adopt', { maxAttempts: 8 });

export const expectMapping = async (ctx: Ctx, made: BuiltMapping): Promise<void> => {
  await enqueue(ctx, mappingAdopt, made);
};

/** Stores a mapping for the version of its package; skips it if the package is unreadable. */
export async function adoptMapping(ctx: Ctx, { appId, mapping, package: made }: BuiltMapping): Promise<void> {
  const app = await getAppRef(ctx, appId);
  const { os } = await getApp({ ...ctx, app, permission: 'viewer' });
  const requested = { buildVersion: undefined, buildNumber: undefined };
  try {
    const { version, shortVersion } = await readPackage(ctx, made, { os, requested });
    await tx(ctx, (ctx) =>
      adoptSymbols(ctx, { appId, ...mapping, type: 'AndroidProguard', version: shortVersion, build: version }),
    );
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    ctx.log.warn({ appId, package: made.name, reason: error.message }, 'mapping skipped: its package is unreadable');
  }
}
