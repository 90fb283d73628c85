import { toIso } from '../../../kernel/clock.ts';
import { type Fields, fieldsOf, linkOf, listOf, numberOf, textOf } from './api.ts';
import { markdownOf, type Provider, segment, type Tracker } from './provider.ts';

const repositoryOf = ({ project }: Tracker): string => `/repos/${project.split('/').map(segment).join('/')}`;
const ticketOf = (issue: Fields) => ({ id: textOf(issue.number), url: linkOf(issue.html_url) });

const PAGE = 50;
const MOST_PAGES = 20;

/** GitHub, and servers with the same routes: https://docs.github.com/rest/issues */
export const github: Provider = {
  defaultUrl: 'https://api.github.com',
  projectPattern: /^[\w.-]+\/[\w.-]+$/,
  projectWords: 'owner/repository',
  headers: (_, token) => ({
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  }),
  async check(api, tracker) {
    const repository = fieldsOf((await api(repositoryOf(tracker))).value);
    return {
      github_repo_id: numberOf(repository.id),
      github_repo_name: textOf(repository.full_name) || tracker.project,
    };
  },
  /** By the list, which knows of a ticket at once; the search learns of it later. */
  async find(api, tracker, mark, since) {
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query = new URLSearchParams({
        state: 'all',
        sort: 'created',
        direction: 'desc',
        since: toIso(since),
        per_page: String(PAGE),
        page: String(page),
      });
      const issues = listOf((await api(`${repositoryOf(tracker)}/issues?${query}`)).value);
      const found = issues.find(({ body }) => textOf(body).includes(mark));
      if (found) return ticketOf(found);
      if (issues.length < PAGE) return undefined;
    }
    return undefined;
  },
  async create(api, tracker, draft) {
    const body = {
      title: draft.title,
      body: markdownOf(draft),
      ...(tracker.label ? { labels: [tracker.label] } : {}),
    };
    return ticketOf(fieldsOf((await api(`${repositoryOf(tracker)}/issues`, { method: 'POST', body })).value));
  },
  async readClosed(api, tracker, ids) {
    const closed = new Map<string, boolean>();
    for (const id of ids) {
      // 301: it was moved elsewhere; 410: it was deleted.
      const { status, value } = await api(`${repositoryOf(tracker)}/issues/${segment(id)}`, {
        accepts: [301, 404, 410],
      });
      if (status === 200) closed.set(id, fieldsOf(value).state === 'closed');
    }
    return closed;
  },
  async setClosed(api, tracker, id, isClosed) {
    const body = isClosed
      ? { state: 'closed', state_reason: 'completed' }
      : { state: 'open', state_reason: 'reopened' };
    await api(`${repositoryOf(tracker)}/issues/${segment(id)}`, { method: 'PATCH', body });
  },
};
