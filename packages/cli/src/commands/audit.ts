import { adminAudit_list, appAudit_list, type OutputOf, orgAudit_list } from '@mooring/contract';
import { command } from '../framework/command.ts';
import type { Column } from '../output.ts';
import { gatherPages, limitOption, printPage } from '../paging.ts';
import { findTarget } from '../targets.ts';
import { readTime } from '../times.ts';

const columns: Column<OutputOf<typeof adminAudit_list>['values'][number]>[] = [
  { header: 'AT', value: (event) => event.at, isTime: true },
  { header: 'ACTION', value: (event) => event.action },
  { header: 'BY', value: ({ actor }) => (actor.name ?? actor.kind) + (actor.credential === 'oauth' ? ' (OAuth)' : '') },
  { header: 'SUBJECT', value: (event) => event.subject.name ?? event.subject.id },
  { header: 'FROM', value: (event) => event.address },
];

export const auditCommands = [
  command({
    name: 'audit list',
    summary: 'Lists changes, newest first: of the server (administrators), an organization or an app',
    options: {
      org: { value: 'NAME', summary: 'Only of this organization and its apps' },
      app: { value: 'OWNER/APP', summary: 'Only of this app' },
      actor: { value: 'NAME', summary: 'Only what this user did' },
      action: { value: 'ACTION', summary: 'Only this action, or all of a kind: app.update, or app' },
      since: { value: 'WHEN', summary: 'Only from this date or time on, or from a span ago such as 12h or 7d' },
      until: { value: 'WHEN', summary: 'Only before this date or time' },
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
      const page = await gatherPages(options.limit, (wanted) => {
        const query = { ...filter, ...wanted };
        if (!target) return call(adminAudit_list, { query });
        return 'app' in target
          ? call(appAudit_list, { params: target.app, query })
          : call(orgAudit_list, { params: target.org, query });
      });
      printPage(out, page, columns);
    },
  }),
];
