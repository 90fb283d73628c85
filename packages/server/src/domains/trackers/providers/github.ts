import { toIso } from '../../../kernel/clock.ts';
import { type Fields, toFields, toLink, toList, toNumber, toText } from './api.ts';
import { type Provider, segment, type Tracker, toMarkdown } from './provider.ts';

const getRepositoryPath = ({ project }: Tracker): string => `/repos/${project.split('/').map(segment).join('/')}`;
const toTicket = (issue: Fields) => ({ id: toText(issue.number), url: toLink(issue.html_url) });

const PAGE = 50;
const MAX_PAGES = 20;

/** GitHub, and servers with the same API: https://docs.github.com/rest/issues */
export const github: Provider = {
  defaultUrl: 'https://api.github.com',
  projectPattern: /^[\w.-]+\/[\w.-]+$/,
  projectFormat: 'owner/repository',
  headers: (_, token) => ({
    accept: 'application/vnd.github+json',
    authorization: `Bearer ${token}`,
    'x-github-api-version': '2022-11-28',
  }),
  async check(api, tracker) {
    const repository = toFields((await api(getRepositoryPath(tracker))).value);
    return {
      github_repo_id: toNumber(repository.id),
      github_repo_name: toText(repository.full_name) || tracker.project,
    };
  },
  /** Uses the list, which includes a new ticket immediately; the search index is delayed. */
  async find(api, tracker, mark, since) {
    for (let page = 1; page <= MAX_PAGES; page += 1) {
      const query = new URLSearchParams({
        state: 'all',
        sort: 'created',
        direction: 'desc',
        since: toIso(since),
        per_page: String(PAGE),
        page: String(page),
      });
      const issues = toList((await api(`${getRepositoryPath(tracker)}/issues?${query}`)).value);
      const found = issues.find(({ body }) => toText(body).includes(mark));
      if (found) return toTicket(found);
      if (issues.length < PAGE) return undefined;
    }
    return undefined;
  },
  async create(api, tracker, draft) {
    const body = {
      title: draft.title,
      body: toMarkdown(draft),
      ...(tracker.label ? { labels: [tracker.label] } : {}),
    };
    return toTicket(toFields((await api(`${getRepositoryPath(tracker)}/issues`, { method: 'POST', body })).value));
  },
  async readClosed(api, tracker, ids) {
    const closed = new Map<string, boolean>();
    for (const id of ids) {
      // 301: moved; 410: deleted.
      const { status, value } = await api(`${getRepositoryPath(tracker)}/issues/${segment(id)}`, {
        accepts: [301, 404, 410],
      });
      if (status === 200) closed.set(id, toFields(value).state === 'closed');
    }
    return closed;
  },
  async setClosed(api, tracker, id, isClosed) {
    const body = isClosed
      ? { state: 'closed', state_reason: 'completed' }
      : { state: 'open', state_reason: 'reopened' };
    await api(`${getRepositoryPath(tracker)}/issues/${segment(id)}`, { method: 'PATCH', body });
  },
};
