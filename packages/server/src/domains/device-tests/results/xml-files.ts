import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { AppCtx } from '../../../context.ts';
import { downloadLink } from '../../../uploads/index.ts';
import { addJobFile, type JobFile } from '../../runners/index.ts';
import { archivesAt, type Report, type ReportDevice } from './report.ts';
import { isSmall, type PackedText, workOnResults } from './results-reading.ts';
import { toFileName } from './results-work.ts';

interface Archive {
  kind: string;
  name: string;
  format: 'junit' | 'nunit';
}

const archives: Readonly<Record<string, Archive>> = {
  junit_xml_zip: { kind: 'packed-junit', name: 'junit_xml.zip', format: 'junit' },
  nunit_xml_zip: { kind: 'packed-nunit', name: 'nunit_xml.zip', format: 'nunit' },
};
const FEATURES = 'packed-report';

export const isArchive = ({ kind }: { kind: string }): boolean =>
  kind === FEATURES || Object.values(archives).some((archive) => archive.kind === kind);

function nameFor({ device, row }: ReportDevice, all: readonly ReportDevice[]): string {
  const hasDuplicateName = all.filter((one) => one.device.name === device.name).length > 1;
  return `${toFileName(device.name)}${hasDuplicateName ? `_${row.position}` : ''}`;
}

type Prepared = Pick<JobFile, 'key' | 'name'>;

/** Files that are being prepared, so that simultaneous requests wait for the same one. */
const preparing = new Map<string, Promise<Prepared>>();

/** Prepares a file of a finished run once. Stored with the files of the first device; for imported runs, cached for a while. */
function prepare(
  ctx: AppCtx,
  { run, devices, archives }: Report,
  { kind, name, type }: { kind: string; name: string; type: string },
  make: () => Promise<Uint8Array>,
): Promise<Prepared> {
  const known = archives.find((file) => file.kind === kind && file.name === name);
  if (known) return Promise.resolve(known);
  const which = `${run.id} ${kind} ${name}`;
  const begin = async (): Promise<Prepared> => {
    const content = await make();
    const id = ctx.newId();
    const file = { id, kind, name, key: `tests/${id}`, size: content.length, sha256: hash('sha256', content, 'hex') };
    await ctx.blobs.put(file.key, [content], { type, maxBytes: content.length });
    const jobId = archivesAt(
      run,
      devices.map(({ row }) => row),
    );
    await addJobFile(ctx, jobId, file);
    return file;
  };
  const begun = preparing.get(which) ?? begin().finally(() => preparing.delete(which));
  preparing.set(which, begun);
  return begun;
}

async function getLink(ctx: AppCtx, report: Report, { kind, name, format }: Archive): Promise<string> {
  const { devices } = report;
  const file = await prepare(ctx, report, { kind, name, type: 'application/zip' }, async () => {
    const named = devices.map((device) => ({ ...device.events, name: nameFor(device, devices) }));
    return (await workOnResults(ctx, 'pack', { devices: named, format })).bytes;
  });
  return downloadLink(ctx, file);
}

/** The tests of a report as JSON. Large results of finished runs are prepared once, and again if the app's URL changes. */
export async function readFeatures(ctx: AppCtx, report: Report, runUrl: string): Promise<PackedText> {
  const input = { devices: report.devices.map(({ events }) => events), runUrl };
  const work = async () => (await workOnResults(ctx, 'report', input)).text;
  if (report.run.status !== 'finished' || isSmall(input)) return work();
  const name = `report-${hash('sha256', runUrl, 'hex').slice(0, 16)}.json.gz`;
  const file = await prepare(ctx, report, { kind: FEATURES, name, type: 'application/gzip' }, async () => {
    const text = await work();
    return typeof text === 'string' ? gzipSync(text) : text;
  });
  const blob = await ctx.blobs.get(file.key);
  return blob ? blob.stream : work();
}

/**
 * Files that clients download by name, without a token. UITest clients merge NUnit, and use JUnit only if there is no NUnit.
 */
export async function readArtifacts(ctx: AppCtx, report: Report): Promise<Record<string, string> | undefined> {
  if (report.run.status !== 'finished' || report.stats.total === 0) {
    return undefined;
  }
  const links: [string, string][] = [];
  for (const [name, archive] of Object.entries(archives)) {
    if (name === 'nunit_xml_zip' && report.run.framework !== 'uitest') continue;
    links.push([name, await getLink(ctx, report, archive)]);
  }
  return Object.fromEntries(links);
}
