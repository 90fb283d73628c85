import { hash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { writeJunitXml } from '@mooring/contract';
import yazl from 'yazl';
import type { AppCtx } from '../../context.ts';
import { downloadLink } from '../../uploads/index.ts';
import { keepJobFile, listJobFiles } from '../runners/index.ts';
import type { Report, ReportDevice } from './report.ts';
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

/**
 * NOTE: clients append what stands before `_TEST` to the name of each test, with nothing in between, so it begins with the
 * sign that parts them.
 */
function filesOf({ device, outcomes, row }: ReportDevice, isOneOfSeveral: boolean): [name: string, text: string][] {
  const prefix = `_${plain(device.name)}${isOneOfSeveral ? `_${row.position}` : ''}`;
  const names = new Map<string, number>();
  return [...Map.groupBy(outcomes, ({ suite }) => suite)].map(([suite, own]) => {
    const name = plain(suite).slice(0, 100) || 'suite';
    const seen = names.get(name) ?? 0;
    names.set(name, seen + 1);
    return [`${prefix}_TEST-${name}${seen === 0 ? '' : `-${seen}`}.xml`, writeJunitXml(suite, own.map(caseOf))];
  });
}

const KIND = 'packed-junit';

async function packJunit(ctx: AppCtx, { devices }: Report, key: string): Promise<{ size: number; sha256: string }> {
  const zip = new yazl.ZipFile();
  for (const device of devices) {
    const isOneOfSeveral = devices.filter((one) => one.device.name === device.device.name).length > 1;
    for (const [name, text] of filesOf(device, isOneOfSeveral)) zip.addBuffer(Buffer.from(text), name);
  }
  zip.end();
  const content = await buffer(zip.outputStream as Readable);
  await ctx.blobs.put(key, [content], { type: 'application/zip', maxBytes: content.length });
  return { size: content.length, sha256: hash('sha256', content, 'hex') };
}

/** Made when it is first asked for, and kept with the files of the first device; of what was imported, for a while. */
async function getJunitLink(ctx: AppCtx, report: Report): Promise<string> {
  const jobId = report.devices[0]?.row.job_id ?? report.run.id;
  const known = (await listJobFiles(ctx, jobId)).find(({ kind }) => kind === KIND);
  if (known) return downloadLink(ctx, known);
  const id = ctx.newId();
  const file = { id, kind: KIND, name: 'junit_xml.zip', key: `tests/${id}` };
  await keepJobFile(ctx, jobId, { ...file, ...(await packJunit(ctx, report, file.key)) });
  return downloadLink(ctx, file);
}

/** What clients download by name, without a token. */
export async function readArtifacts(ctx: AppCtx, report: Report): Promise<Record<string, string> | undefined> {
  if (report.run.status !== 'finished' || report.devices.every(({ outcomes }) => outcomes.length === 0)) {
    return undefined;
  }
  return { junit_xml_zip: await getJunitLink(ctx, report) };
}
