import { toIso } from '../../../kernel/clock.ts';
import { type Fields, fieldsOf, linkOf, listOf, numberOf, textOf } from './api.ts';
import { markdownOf, type Provider, segment, type Tracker } from './provider.ts';

const projectOf = ({ project }: Tracker): string => `/api/v4/projects/${segment(project)}`;
const ticketOf = (issue: Fields) => ({ id: textOf(issue.iid), url: linkOf(issue.web_url) });

const PAGE = 100;

/** https://docs.gitlab.com/api/issues */
export const gitlab: Provider = {
  defaultUrl: 'https://gitlab.com',
  projectPattern: /^\d+$|^[\w.-]+(\/[\w.-]+)+$/,
  projectWords: 'group/project, or its number',
  headers: (_, token) => ({ 'private-token': token }),
  async check(api, tracker) {
    const project = fieldsOf((await api(projectOf(tracker))).value);
    return {
      gitlab_project_id: numberOf(project.id),
      gitlab_project_name: textOf(project.path_with_namespace) || tracker.project,
    };
  },
  async find(api, tracker, mark, since) {
    const query = new URLSearchParams({
      scope: 'all',
      search: mark,
      in: 'description',
      created_after: toIso(since),
      per_page: String(PAGE),
    });
    const issues = listOf((await api(`${projectOf(tracker)}/issues?${query}`)).value);
    const found = issues.find(({ description }) => textOf(description).includes(mark));
    return found && ticketOf(found);
  },
  async create(api, tracker, draft) {
    const body = {
      title: draft.title,
      description: markdownOf(draft),
      ...(tracker.label ? { labels: tracker.label } : {}),
    };
    return ticketOf(fieldsOf((await api(`${projectOf(tracker)}/issues`, { method: 'POST', body })).value));
  },
  async readClosed(api, tracker, ids) {
    const query = new URLSearchParams({ scope: 'all', per_page: String(PAGE) });
    for (const id of ids) query.append('iids[]', id);
    const issues = listOf((await api(`${projectOf(tracker)}/issues?${query}`)).value);
    return new Map(issues.map(({ iid, state }) => [textOf(iid), state === 'closed']));
  },
  async setClosed(api, tracker, id, isClosed) {
    const body = { state_event: isClosed ? 'close' : 'reopen' };
    await api(`${projectOf(tracker)}/issues/${segment(id)}`, { method: 'PUT', body });
  },
};
