import { adminAudit_list, appAudit_list, type EndpointOutput, orgAudit_list } from '@mooring/contract';
import { findTarget } from '../../arguments/targets.ts';
import { readTime } from '../../arguments/times.ts';
import { command } from '../../framework/command.ts';
import { gatherPages, limitOption, printPage } from '../../lists/paging.ts';
import type { Column } from '../../terminal/output.ts';

const columns: Column<EndpointOutput<typeof adminAudit_list>['values'][number]>[] = [
  { header: 'AT', value: (event) => event.at, isTime: true },
  { header: 'ACTION', value: (event) => event.action },
  { header: 'BY', value: ({ actor }) => (actor.name ?? actor.kind) + (actor.credential === 'oauth' ? ' (OAuth)' : '') },
  { header: 'SUBJECT', value: (event) => event.subject.name ?? event.subject.id },
  { header: 'FROM', value: (event) => event.address },
];

export const auditCommands = [
  command({
    name: 'audit list',
    summary: 'List audit events, newest first: of the server (administrators only), an organization or an app',
    options: {
      org: { value: 'NAME', summary: 'Organization, including its apps' },
      app: { value: 'OWNER/APP', summary: 'App' },
      actor: { value: 'NAME', summary: 'Filter by user' },
      action: { value: 'ACTION', summary: 'Filter by action (app.update) or kind of actions (app)' },
      since: { value: 'WHEN', summary: 'Only events since this date or time, or within a duration such as 12h or 7d' },
      until: { value: 'WHEN', summary: 'Only events before this date or time' },
      limit: limitOption,
    },
    async run({ options, out, connect }) {
      const target = findTarget(options);
      const now = Date.now();
      const filter = {
        actor: options.actor,
        action: options.action,
        since: readTime('--since', options.since, { now, direction: -1 }),
        until: readTime('--until', options.until, { now, direction: -1 }),
      };
      const { call } = connect();
      const page = await gatherPages(options.limit, (paging) => {
        const query = { ...filter, ...paging };
        if (!target) return call(adminAudit_list, { query });
        return 'app' in target
          ? call(appAudit_list, { params: target.app, query })
          : call(orgAudit_list, { params: target.org, query });
      });
      printPage(out, page, columns);
    },
  }),
];
