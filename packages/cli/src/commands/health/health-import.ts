import { type EndpointOutput, HealthEvents_Import, healthVersion } from '@mooring/contract';
import { openFile } from '../../arguments/files.ts';
import { command } from '../../framework/command.ts';
import { exitCodes } from '../../framework/errors.ts';
import type { Column, Output } from '../../terminal/output.ts';

type Report = EndpointOutput<typeof HealthEvents_Import>;

const columns: Column<Report>[] = [
  { header: 'READ', value: ({ read }) => read },
  { header: 'IMPORTED', value: ({ imported }) => imported },
  { header: 'REPLACED', value: ({ replaced }) => replaced },
  { header: 'UNCHANGED', value: ({ unchanged }) => unchanged },
  { header: 'REJECTED', value: ({ refusedCount }) => refusedCount },
];

function printRejected(out: Output, { refused, refusedCount }: Report): void {
  for (const { index, trackingId, message } of refused) {
    out.note(`Rejected event ${index + 1}${trackingId ? ` (${trackingId})` : ''}: ${message}`);
  }
  const more = refusedCount - refused.length;
  if (more > 0) out.note(`${more.toLocaleString('en')} more events were rejected.`);
  out.note('Fix these events and import the file again. Imported events stay unchanged.');
}

export const healthImportCommands = [
  command({
    name: 'health import',
    summary: 'Import health events from a file; exit with 1 if the server rejects any of them',
    arguments: {
      file: {
        summary:
          'JSON page or array of events, or one event per line (sample: docs/samples/health-events.ndjson), or - for stdin',
      },
    },
    options: { lines: { summary: 'Read one event per line (default for .ndjson and .jsonl files)' } },
    async run({ args, options, out, connect }) {
      const isLines = options.lines || /\.(ndjson|jsonl)$/i.test(args.file);
      const { call } = connect();
      const file = await openFile(args.file, isLines ? 'application/x-ndjson' : 'application/json');
      out.progress.show(0, 'uploading');
      const response = call(HealthEvents_Import, {
        query: healthVersion,
        file,
        onProgress({ bytes, totalBytes, read, refusedCount }) {
          const refused = refusedCount > 0 ? `, ${refusedCount.toLocaleString('en')} rejected` : '';
          out.progress.show(bytes / (totalBytes || 1), `${read.toLocaleString('en')} events${refused}`);
        },
      });
      const report = await response.finally(() => out.progress.end());
      out.record(report, report, columns);
      if (report.refusedCount === 0) return exitCodes.ok;
      printRejected(out, report);
      return exitCodes.failed;
    },
  }),
];
