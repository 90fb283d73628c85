import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { CLAIMED } from './backfill.ts';
import { type ConfigurationRow, saveReportsLeft, setDue } from './configurations.store.ts';
import { openDestination, settingsOf } from './configurations.ts';
import { type Content, deliveriesOf } from './deliveries.ts';
import { type ExportFile, type FileStore, formatOf, prefixOf, type Settings } from './destinations/index.ts';
import { attachmentFile, recordFile } from './files.ts';
import { type Attachment, type Entity, type ExportRecord, toKeptAttachment, toKeptReport } from './records.ts';
import { afterKind, type ReportsLeft } from './reports-left.ts';
import { folderOf, windowOf } from './windows.ts';

/**
 * Writes the next few crashes and errors that were there before the export, or attachments of theirs: by the hour in which they
 * happened. Which ones is written down first, so whoever is cut off writes the same again. Says whether there were any.
 */
export async function writeReports(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  if (row.reports_left === null) return false;
  const { id, app_id: appId, reports_after: upTo } = row;
  const entities = JSON.parse(row.entities) as string[];
  const left = JSON.parse(row.reports_left) as ReportsLeft;
  const rest = { appId, upTo, after: left.after };
  await tx(ctx, ({ db }) => setDue.run(db, { id, dueAt: ctx.clock.now() + CLAIMED }));
  const to = left.to ?? (await ctx.keptReports.next(ctx, left.kind, rest));
  if (!to) {
    await keepLeft(ctx, row, row.reports_left, afterKind(left, entities));
    return true;
  }
  const planned = JSON.stringify({ ...left, to });
  if (!left.to) await keepLeft(ctx, row, row.reports_left, planned);
  const part = { ...rest, to };
  if (left.kind === 'reports') {
    const records: Timed<{ entity: Entity; record: ExportRecord }>[] = [];
    for (const report of await ctx.keptReports.reports(ctx, part)) {
      const told = toKeptReport(appId, report);
      if (entities.includes(told.entity)) records.push({ at: report.at, what: told });
    }
    await writePart(ctx, row, left.number, { reports: records, attachments: [] });
  } else {
    const attachments: Timed<Attachment>[] = [];
    for await (const one of ctx.keptReports.attachments(ctx, part)) {
      attachments.push({ at: one.at, what: toKeptAttachment(one) });
    }
    await writePart(ctx, row, left.number, { reports: [], attachments });
  }
  await keepLeft(ctx, row, planned, JSON.stringify({ kind: left.kind, number: left.number + 1, after: to }));
  return true;
}

interface Timed<T> {
  at: number;
  what: T;
}

interface Part {
  reports: readonly Timed<{ entity: Entity; record: ExportRecord }>[];
  attachments: readonly Timed<Attachment>[];
}

async function writePart(ctx: Ctx, row: ConfigurationRow, number: number, part: Part): Promise<void> {
  const settings = settingsOf(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const records = Map.groupBy(part.reports, ({ what }) => what.entity);
  if (destination.kind === 'records') {
    const content: Content = {
      records: new Map([...records].map(([entity, list]) => [entity, list.map(({ what }) => what.record)])),
      attachments: part.attachments.map(({ what }) => what),
    };
    for (const delivery of deliveriesOf(`${row.id}.backfill.reports.${number}`, content)) {
      if (destination.takes(delivery.entity)) await destination.send(delivery);
    }
    return;
  }
  const target = { row, settings, number };
  for (const [entity, list] of records) await putRecords(ctx, destination, target, entity, list);
  for (const one of part.attachments) await putAttachment(destination, target, one);
}

interface PartTarget {
  row: ConfigurationRow;
  settings: Settings;
  number: number;
}

const folderAt = ({ row, settings: { open } }: PartTarget, at: number): string => {
  const format = formatOf(open);
  return `${prefixOf(open, row.app_id)}${folderOf(format, windowOf(format, at - (at % HOUR)))}`;
};
const tagOf = ({ row, number }: PartTarget): string => `${row.id}.backfill.reports.${number}`;

/** Under its name, or a longer one if that is in use by somebody else. */
async function put(
  store: FileStore,
  { row }: PartTarget,
  toFile: (inFront: string) => Promise<ExportFile>,
): Promise<void> {
  if ((await store.put(await toFile(''))) === 'taken') await store.put(await toFile(`${row.id}.`));
}

/** All of them are of one hour. */
const putRecords = (ctx: Ctx, store: FileStore, target: PartTarget, entity: Entity, list: Part['reports']) =>
  put(store, target, (inFront) =>
    recordFile(
      ctx,
      { entity, records: list.map(({ what }) => what.record), format: formatOf(target.settings.open) },
      (name) => `${folderAt(target, list[0]?.at ?? 0)}/${inFront}backfill.reports.${target.number}.${name}`,
      tagOf(target),
    ),
  );

const putAttachment = (store: FileStore, target: PartTarget, { at, what }: Timed<Attachment>) =>
  put(store, target, async (inFront) =>
    attachmentFile(what, `${folderAt(target, at)}/attachments/${inFront}${what.id}`, tagOf(target)),
  );

/** Of two who write it at once, one is told that it did not. */
async function keepLeft(ctx: Ctx, { id }: ConfigurationRow, before: string, left: string | null): Promise<void> {
  const isSaved = await tx(ctx, async ({ db }) => (await saveReportsLeft.run(db, { id, left, before })) > 0);
  if (!isSaved) throw new Failure('Conflict', 'Another process writes this part of the export.');
}
