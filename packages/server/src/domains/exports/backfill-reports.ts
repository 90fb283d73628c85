import { Type } from '@mooring/contract';
import type { Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { HOUR } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../kernel/text/json-codec.ts';
import { reportArchive } from '../crashes/index.ts';
import { CLAIMED } from './backfill.ts';
import { type ConfigurationRow, saveReportsLeft, setDue } from './configurations.store.ts';
import { entitiesCodec, openDestination, readSettings } from './configurations.ts';
import { type Content, createDeliveries } from './deliveries.ts';
import { type ExportFile, type FileStore, getFormat, getPrefix, type Settings } from './destinations/index.ts';
import { attachmentFile, recordFile } from './files.ts';
import {
  type Attachment,
  archivedReportToRecord,
  archivedToAttachment,
  type Entity,
  type ExportRecord,
} from './records.ts';
import { afterKind, type ReportsLeft } from './reports-left.ts';
import { toFolder, toWindow } from './windows.ts';

const reportsLeftCodec = jsonCodec(
  'export_configurations.reports_left',
  objectOutline<ReportsLeft>({ kind: Type.String(), number: Type.Integer() }),
);

/**
 * Back-fills the next few crashes and errors, or their attachments, by the hour they occurred. Saves the selection first, so
 * that after an interruption the same files are written again. Returns whether there were any.
 */
export async function writeReports(ctx: Ctx, row: ConfigurationRow): Promise<boolean> {
  if (row.reports_left === null) return false;
  const { id, app_id: appId, reports_after: upTo } = row;
  const entities: readonly string[] = entitiesCodec.parse(row.entities);
  const left = reportsLeftCodec.parse(row.reports_left);
  const rest = { appId, upTo, after: left.after };
  await tx(ctx, ({ db }) => setDue.run(db, { id, dueAt: ctx.clock.now() + CLAIMED }));
  const to = left.to ?? (await reportArchive.next(ctx, left.kind, rest));
  if (!to) {
    await saveRemaining(ctx, row, row.reports_left, afterKind(left, entities));
    return true;
  }
  const planned = JSON.stringify({ ...left, to });
  if (!left.to) await saveRemaining(ctx, row, row.reports_left, planned);
  const part = { ...rest, to };
  if (left.kind === 'reports') {
    const records: Timed<{ entity: Entity; record: ExportRecord }>[] = [];
    for (const report of await reportArchive.reports(ctx, part)) {
      const exported = archivedReportToRecord(appId, report);
      if (entities.includes(exported.entity)) records.push({ at: report.at, what: exported });
    }
    await writePart(ctx, row, left.number, { reports: records, attachments: [] });
  } else {
    const attachments: Timed<Attachment>[] = [];
    for await (const one of reportArchive.attachments(ctx, part)) {
      attachments.push({ at: one.at, what: archivedToAttachment(one) });
    }
    await writePart(ctx, row, left.number, { reports: [], attachments });
  }
  await saveRemaining(ctx, row, planned, JSON.stringify({ kind: left.kind, number: left.number + 1, after: to }));
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
  const settings = readSettings(ctx, row);
  const destination = openDestination(ctx, row, settings);
  const records = Map.groupBy(part.reports, ({ what }) => what.entity);
  if (destination.kind === 'records') {
    const content: Content = {
      records: new Map([...records].map(([entity, list]) => [entity, list.map(({ what }) => what.record)])),
      attachments: part.attachments.map(({ what }) => what),
    };
    for (const delivery of createDeliveries(`${row.id}.backfill.reports.${number}`, content)) {
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
  const format = getFormat(open);
  return `${getPrefix(open, row.app_id)}${toFolder(format, toWindow(format, at - (at % HOUR)))}`;
};
const toTag = ({ row, number }: PartTarget): string => `${row.id}.backfill.reports.${number}`;

/** Writes a file, under a longer name if another file has its name. */
async function put(
  store: FileStore,
  { row }: PartTarget,
  toFile: (inFront: string) => Promise<ExportFile>,
): Promise<void> {
  if ((await store.put(await toFile(''))) === 'taken') await store.put(await toFile(`${row.id}.`));
}

/** All records are from the same hour. */
const putRecords = (ctx: Ctx, store: FileStore, target: PartTarget, entity: Entity, list: Part['reports']) =>
  put(store, target, (inFront) =>
    recordFile(
      ctx,
      { entity, records: list.map(({ what }) => what.record), format: getFormat(target.settings.open) },
      (name) => `${folderAt(target, list[0]?.at ?? 0)}/${inFront}backfill.reports.${target.number}.${name}`,
      toTag(target),
    ),
  );

const putAttachment = (store: FileStore, target: PartTarget, { at, what }: Timed<Attachment>) =>
  put(store, target, async (inFront) =>
    attachmentFile(what, `${folderAt(target, at)}/attachments/${inFront}${what.id}`, toTag(target)),
  );

/** Fails if another process saved its selection first. */
async function saveRemaining(ctx: Ctx, { id }: ConfigurationRow, before: string, left: string | null): Promise<void> {
  const isSaved = await tx(ctx, async ({ db }) => (await saveReportsLeft.run(db, { id, left, before })) > 0);
  if (!isSaved) throw new Failure('Conflict', 'Another process is writing this part of the export.');
}
