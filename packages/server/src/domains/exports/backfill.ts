import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { DAY, HOUR, MINUTE } from '../../kernel/clock.ts';
import { type ConfigurationRow, setDue } from './configurations.store.ts';
import { openDestination, settingsOf } from './configurations.ts';
import { formatOf, prefixOf } from './destinations/index.ts';
import { recordFile } from './files.ts';
import { toKeptRecord } from './records.ts';
import { folderOf, windowOf } from './windows.ts';

const HOURS = 24;
/** For an hour of a day; whoever is killed is replaced after this long. */
export const CLAIMED = 5 * MINUTE;
/** Of one file. */
const LOGS_AT_ONCE = 5000;
const SENT_AT_ONCE = 500;

/**
 * Writes the next part of what was there before the export: by the hour in which it happened, as when it came is not kept.
 * A part never changes, so whoever is cut off writes the same again. Says whether there was one.
 */
export async function writeKept(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  const { app_id: appId, id: holder } = row;
  const part = await ctx.keptLogs.next(ctx, appId, holder);
  if (!part) return false;
  const settings = settingsOf(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const format = formatOf(settings.open);
  const limit = destination.kind === 'files' ? LOGS_AT_ONCE : SENT_AT_ONCE;
  const isWanted = !(JSON.parse(row.entities) as string[]).includes('no_logs');
  for (let hour = 0; isWanted && hour < HOURS; hour += 1) {
    await tx(ctx, ({ db }) => setDue.run(db, { id: holder, dueAt: ctx.clock.now() + CLAIMED }));
    const folder = folderOf(format, windowOf(format, part.day * DAY + hour * HOUR));
    for (let number = 0; ; number += 1) {
      const logs = await ctx.keptLogs.read(ctx, appId, holder, {
        partId: part.id,
        hour,
        skip: number * limit,
        limit,
      });
      const records = logs.map((log) => toKeptRecord(appId, log));
      const tag = `backfill.${part.id}.${hour}.${number}`;
      if (records.length > 0 && destination.kind === 'records') {
        await destination.send({ id: `${holder}.${tag}`, entity: 'logs', records });
      } else if (records.length > 0 && destination.kind === 'files') {
        const start = `${prefixOf(settings.open, appId)}${folder}/backfill.${part.id}.${number}.`;
        const put = async (inFront: string) =>
          destination.put(
            await recordFile(ctx, { entity: 'logs', records, format }, (name) => `${inFront}${name}`, tag),
          );
        if ((await put(start)) === 'taken') await put(`${start}${holder}.`);
      }
      if (logs.length < limit) break;
    }
  }
  await tx(ctx, (ctx) => ctx.keptLogs.done(ctx, appId, holder, part.id));
  return true;
}
