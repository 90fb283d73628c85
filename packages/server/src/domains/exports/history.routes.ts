import { history_import, history_read } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { importHistory, readHistory } from './history.ts';

export const historyRoutes = [
  route(history_import, async (ctx, { sent }) => {
    const { isRepeated, ...outcome } = await importHistory(ctx, sent);
    return { ...outcome, is_repeated: isRepeated };
  }),
  route(history_read, async (ctx, { query: { entity, day, skip = 0 } }) => {
    const { records, nextSkip } = await readHistory(ctx, entity, day, skip);
    return { records, ...(nextSkip === undefined ? {} : { next_skip: nextSkip }) };
  }),
];
