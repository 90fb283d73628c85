import { type Finder, MAX_SEARCHED } from '../../../context.ts';
import { findIssuesByWords } from './issue-finder.store.ts';

export const issueFinder: Finder = {
  async find(ctx, words, limit) {
    const rows = await findIssuesByWords(ctx.db, { userId: ctx.actor.user.id, words, limit, most: MAX_SEARCHED });
    return rows.map(({ id, number, exception_type, message, class_name, method, app_name, owner_name, ...row }) => ({
      kind: 'issue',
      id,
      title: [exception_type, message].filter(Boolean).join(': ').slice(0, 200) || `${class_name}.${method}`,
      detail: `${row.app_display_name} · ${owner_name}/${app_name} · issue ${number}`,
      path: { owner_name, app_name, issue_id: id },
    }));
  },
};
