import { adminAudit_list } from '@mooring/contract';
import { gatherPages, limitOption, printPage } from '../paging.ts';
import { command } from '../runner/command.ts';

export const auditCommands = [
  command({
    name: 'audit list',
    summary: 'Lists the changes made on the server, newest first (administrators)',
    options: { limit: limitOption },
    async run({ options, out, connect }) {
      const { call } = connect();
      const page = await gatherPages(options.limit, (query) => call(adminAudit_list, { query }));
      printPage(out, page, [
        { header: 'AT', value: (event) => event.at, isTime: true },
        { header: 'ACTION', value: (event) => event.action },
        { header: 'BY', value: (event) => event.actor.name ?? event.actor.kind },
        { header: 'SUBJECT', value: (event) => event.subject.name ?? event.subject.id },
        { header: 'FROM', value: (event) => event.address },
      ]);
    },
  }),
];
