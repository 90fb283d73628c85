import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { writeJunitXml, writeNunitXml } from '@mooring/contract';
import yazl from 'yazl';
import type { AppCtx } from '../../context.ts';
import { downloadLink } from '../../uploads/index.ts';
import { keepJobFile } from '../runners/index.ts';
import { archivesAt, type Report, type ReportDevice } from './report.ts';
import type { Outcome } from './results.ts';

/** Of a device that is done none runs any more. */
const caseOf = ({ suite, test, status, milliseconds, message, stack }: Outcome) => ({
  suite,
  test,
  status: status === 'running' ? ('failed' as const) : status,
  milliseconds,
  ...(message === undefined ? {} : { message }),
  ...(stack === undefined ? {} : { stack }),
});

const plain = (text: string): string => text.replaceAll(/[^A-Za-z0-9-]+/g, '_').replace(/_$/, '');

type Write = (device: string, outcomes: readonly Outcome[]) => [name: string, text: string][];

/**
 * NOTE: clients append what stands before `_TEST` to the name of each test, with nothing in between, so it begins with the
 * sign that parts them.
 */
const junitFiles: Write = (device, outcomes) => {
  const names = new Map<string, number>();
  return [...Map.groupBy(outcomes, ({ suite }) => suite)].map(([suite, own]) => {
    const name = plain(suite).slice(0, 100) || 'suite';
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    return [`_${device}_TEST-${name}${seen === 0 ? '' : `-${seen}`}.xml`, writeJunitXml(suite, own.map(caseOf))];
  });
};

/** NOTE: here clients append what stands before `_nunit_report` with a sign of their own in between. */
const nunitFiles: Write = (device, outcomes) => [[`${device}_nunit_report.xml`, writeNunitXml(outcomes.map(caseOf))]];

const archives: Readonly<Record<string, { kind: string; name: string; write: Write }>> = {
  junit_xml_zip: { kind: 'packed-junit', name: 'junit_xml.zip', write: junitFiles },
  nunit_xml_zip: { kind: 'packed-nunit', name: 'nunit_xml.zip', write: nunitFiles },
};

export const isArchive = ({ kind }: { kind: string }): boolean =>
  Object.values(archives).some((archive) => archive.kind === kind);

function nameOf({ device, row }: ReportDevice, all: readonly ReportDevice[]): string {
  const isOneOfSeveral = all.filter((one) => one.device.name === device.name).length > 1;
  return `${plain(device.name)}${isOneOfSeveral ? `_${row.position}` : ''}`;
}

async function pack(
  ctx: AppCtx,
  { devices }: Report,
  write: Write,
  key: string,
): Promise<{ size: number; sha256: string }> {
  const zip = new yazl.ZipFile();
  for (const device of devices) {
    if (device.outcomes.length === 0) continue;
    for (const [name, text] of write(nameOf(device, devices), device.outcomes)) zip.addBuffer(Buffer.from(text), name);
  }
  zip.end();
  const content = await buffer(zip.outputStream as Readable);
  await ctx.blobs.put(key, [content], { type: 'application/zip', maxBytes: content.length });
  return { size: content.length, sha256: hash('sha256', content, 'hex') };
}

/** Made when it is first asked for, and kept with the files of the first device; of what was imported, for a while. */
async function getLink(ctx: AppCtx, report: Report, { kind, name, write }: (typeof archives)[string]): Promise<string> {
  const known = report.archives.find((file) => file.kind === kind);
  if (known) return downloadLink(ctx, known);
  const id = ctx.newId();
  const file = { id, kind, name, key: `tests/${id}` };
  const jobId = archivesAt(
    report.run,
    report.devices.map(({ row }) => row),
  );
  await keepJobFile(ctx, jobId, { ...file, ...(await pack(ctx, report, write, file.key)) });
  return downloadLink(ctx, file);
}

/** What clients download by name, without a token. Those of UITest merge NUnit, and take JUnit only without it. */
export async function readArtifacts(ctx: AppCtx, report: Report): Promise<Record<string, string> | undefined> {
  if (report.run.status !== 'finished' || report.devices.every(({ outcomes }) => outcomes.length === 0)) {
    return undefined;
  }
  const links: [string, string][] = [];
  for (const [name, archive] of Object.entries(archives)) {
    if (name === 'nunit_xml_zip' && report.run.framework !== 'uitest') continue;
    links.push([name, await getLink(ctx, report, archive)]);
  }
  return Object.fromEntries(links);
}
