import { HealthEvents_Import, healthVersion, type OutputOf } from '@mooring/contract';
import { openFile } from '../files.ts';
import { command } from '../framework/command.ts';
import { exitCodes } from '../framework/errors.ts';
import type { Column, Output } from '../output.ts';

type Report = OutputOf<typeof HealthEvents_Import>;

const columns: Column<Report>[] = [
  { header: 'READ', value: ({ read }) => read },
  { header: 'IMPORTED', value: ({ imported }) => imported },
  { header: 'REPLACED', value: ({ replaced }) => replaced },
  { header: 'UNCHANGED', value: ({ unchanged }) => unchanged },
  { header: 'REFUSED', value: ({ refusedCount }) => refusedCount },
];

function tellRefused(out: Output, { refused, refusedCount }: Report): void {
  for (const { index, trackingId, message } of refused) {
    out.note(`Refused event ${index + 1}${trackingId ? ` (${trackingId})` : ''}: ${message}`);
  }
  const more = refusedCount - refused.length;
  if (more > 0) out.note(`and ${more.toLocaleString('en')} more.`);
  out.note('Mend them and import the file again: what is there already stays as it is.');
}

export const healthImportCommands = [
  command({
    name: 'health import',
    summary: 'Imports a file of events; fails if one was refused, the others are taken',
    arguments: {
      file: {
        summary:
          'A page or an array of events, or one event on each line (docs/samples/health-events.ndjson); - for stdin',
      },
    },
    options: { lines: { summary: 'One event on each line, which a name in .ndjson or .jsonl says too' } },
    async run({ args, options, out, connect }) {
      const isLines = options.lines || /\.(ndjson|jsonl)$/i.test(args.file);
      const { call } = connect();
      const file = await openFile(args.file, isLines ? 'application/x-ndjson' : 'application/json');
      out.progress.show(0, 'sending');
      const answer = call(HealthEvents_Import, {
        query: healthVersion,
        file,
        onProgress({ bytes, totalBytes, read, refusedCount }) {
          const refused = refusedCount > 0 ? `, ${refusedCount.toLocaleString('en')} refused` : '';
          out.progress.show(bytes / (totalBytes || 1), `${read.toLocaleString('en')} events${refused}`);
        },
      });
      const report = await answer.finally(() => out.progress.end());
      out.record(report, report, columns);
      if (report.refusedCount === 0) return exitCodes.ok;
      tellRefused(out, report);
      return exitCodes.failed;
    },
  }),
];
