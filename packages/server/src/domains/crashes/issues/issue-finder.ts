import type { Finder } from '../../../extensions/finders.ts';
import { searchNewest } from '../../apps/index.ts';
import { findIssuesByTerms, sampleIssues } from './issue-finder.store.ts';

export const issueFinder: Finder = {
  async find(ctx, terms, limit) {
    const rows = await searchNewest(ctx, limit, {
      sample: (sample) => sampleIssues(ctx.db, sample),
      find: (reader, most) => findIssuesByTerms(ctx.db, { reader, terms, limit, most }),
    });
    return rows.map(({ id, number, exception_type, message, class_name, method, app_name, owner_name, ...row }) => ({
      kind: 'issue',
      id,
      title: [exception_type, message].filter(Boolean).join(': ').slice(0, 200) || `${class_name}.${method}`,
      detail: `${row.app_display_name} · ${owner_name}/${app_name} · issue ${number}`,
      path: { owner_name, app_name, issue_id: id },
    }));
  },
};
