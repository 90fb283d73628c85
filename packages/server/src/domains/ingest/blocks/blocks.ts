import type { AppCtx, Deps } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { readInstallId } from '../validation/install-id.ts';
import { deleteBlock, findBlock, findFirstBlock, insertBlock } from './blocks.store.ts';

const WHOLE_APP = '';

function toBlockedId(install: string | undefined): string {
  if (install === undefined) return WHOLE_APP;
  const id = readInstallId(install);
  if (id === undefined) throw badRequest('An install ID must be a UUID such as 0d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d11.');
  return id;
}

/** Drops new logs of one install, or of the whole app. */
export const blockLogs = (ctx: AppCtx, install?: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const installId = toBlockedId(install);
    await insertBlock.run(ctx.db, { app_id: ctx.app.id, install_id: installId, blocked_at: ctx.clock.now() });
    await record(ctx, 'ingestion.block', appSubject(ctx.app), { after: { install_id: installId || undefined } });
  });

export const unblockLogs = (ctx: AppCtx, install?: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const installId = toBlockedId(install);
    await deleteBlock.run(ctx.db, { appId: ctx.app.id, installId });
    await record(ctx, 'ingestion.unblock', appSubject(ctx.app), { before: { install_id: installId || undefined } });
  });

export const isAppBlocked = async ({ db }: Pick<Deps, 'db'>, appId: string): Promise<boolean> =>
  (await findBlock.first(db, { appId, installId: WHOLE_APP })) !== undefined;

const MAX_REMEMBERED_APPS = 50_000;

/** Checks whether logs of an install are dropped. For apps without blocks the result is cached until grants change. */
export function createBlockMemory({ db, versionsNow }: Pick<Deps, 'db' | 'versionsNow'>) {
  const cached = new Map<string, 'none' | 'some' | 'all'>();
  let version = -1;

  async function getBlocks(appId: string): Promise<'none' | 'some' | 'all'> {
    const { grants } = await versionsNow();
    if (grants !== version || cached.size >= MAX_REMEMBERED_APPS) {
      cached.clear();
      version = grants;
    }
    const remembered = cached.get(appId);
    if (remembered) return remembered;
    const first = await findFirstBlock.first(db, { appId });
    const blocks = first === undefined ? 'none' : first.install_id === WHOLE_APP ? 'all' : 'some';
    if (version === grants) cached.set(appId, blocks);
    return blocks;
  }

  return async (appId: string, installId: string): Promise<boolean> => {
    const blocks = await getBlocks(appId);
    if (blocks !== 'some') return blocks === 'all';
    return (await findBlock.first(db, { appId, installId })) !== undefined;
  };
}
