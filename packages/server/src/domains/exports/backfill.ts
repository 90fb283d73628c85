import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { logArchive } from '../analytics/index.ts';
import { type ConfigurationRow, setDue } from './configurations.store.ts';
import { entitiesCodec, openDestination, readSettings } from './configurations.ts';
import { getFormat, getPrefix } from './destinations/index.ts';
import { recordFile } from './files.ts';
import { archivedLogToRecord } from './records.ts';
import { toFolder, toWindow } from './windows.ts';

const HOURS = 24;
/** For one hour of data; a killed process is replaced after this long. */
export const CLAIMED = 5 * MINUTE;
/** For one file. */
const LOGS_AT_ONCE = 5000;
const SENT_AT_ONCE = 500;

/**
 * Back-fills the next segment part, by the hour logs occurred, because their time of arrival is not stored. Parts never
 * change, so after an interruption the same files are written again. Returns whether there was one.
 */
export async function writeArchivedLogs(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  const { app_id: appId, id: holder } = row;
  const part = await logArchive.next(ctx, appId, holder);
  if (!part) return false;
  const settings = readSettings(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const format = getFormat(settings.open);
  const limit = destination.kind === 'files' ? LOGS_AT_ONCE : SENT_AT_ONCE;
  const includesLogs = !entitiesCodec.parse(row.entities).includes('no_logs');
  for (let hour = 0; includesLogs && hour < HOURS; hour += 1) {
    await tx(ctx, ({ db }) => setDue.run(db, { id: holder, dueAt: ctx.clock.now() + CLAIMED }));
    const folder = toFolder(format, toWindow(format, part.day * DAY + hour * HOUR));
    for (let number = 0; ; number += 1) {
      const logs = await logArchive.read(ctx, appId, holder, {
        partId: part.id,
        hour,
        skip: number * limit,
        limit,
      });
      const records = logs.map((log) => archivedLogToRecord(appId, log));
      const tag = `backfill.${part.id}.${hour}.${number}`;
      if (records.length > 0 && destination.kind === 'records') {
        await destination.send({ id: `${holder}.${tag}`, entity: 'logs', records });
      } else if (records.length > 0 && destination.kind === 'files') {
        const start = `${getPrefix(settings.open, appId)}${folder}/backfill.${part.id}.${number}.`;
        const put = async (inFront: string) =>
          destination.put(
            await recordFile(ctx, { entity: 'logs', records, format }, (name) => `${inFront}${name}`, tag),
          );
        if ((await put(start)) === 'taken') await put(`${start}${holder}.`);
      }
      if (logs.length < limit) break;
    }
  }
  await tx(ctx, (ctx) => logArchive.done(ctx, appId, holder, part.id));
  return true;
}
