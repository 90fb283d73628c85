import { toIso } from '../../../kernel/clock.ts';
import { type Fields, toFields, toLink, toList, toNumber, toText } from './api.ts';
import { type Provider, segment, type Tracker, toMarkdown } from './provider.ts';

const getProjectPath = ({ project }: Tracker): string => `/api/v4/projects/${segment(project)}`;
const toTicket = (issue: Fields) => ({ id: toText(issue.iid), url: toLink(issue.web_url) });

const PAGE = 100;

/** https://docs.gitlab.com/api/issues */
export const gitlab: Provider = {
  defaultUrl: 'https://gitlab.com',
  projectPattern: /^\d+$|^[\w.-]+(\/[\w.-]+)+$/,
  projectFormat: 'group/project, or the project ID',
  headers: (_, token) => ({ 'private-token': token }),
  async check(api, tracker) {
    const project = toFields((await api(getProjectPath(tracker))).value);
    return {
      gitlab_project_id: toNumber(project.id),
      gitlab_project_name: toText(project.path_with_namespace) || tracker.project,
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
    const issues = toList((await api(`${getProjectPath(tracker)}/issues?${query}`)).value);
    const found = issues.find(({ description }) => toText(description).includes(mark));
    return found && toTicket(found);
  },
  async create(api, tracker, draft) {
    const body = {
      title: draft.title,
      description: toMarkdown(draft),
      ...(tracker.label ? { labels: tracker.label } : {}),
    };
    return toTicket(toFields((await api(`${getProjectPath(tracker)}/issues`, { method: 'POST', body })).value));
  },
  async readClosed(api, tracker, ids) {
    const query = new URLSearchParams({ scope: 'all', per_page: String(PAGE) });
    for (const id of ids) query.append('iids[]', id);
    const issues = toList((await api(`${getProjectPath(tracker)}/issues?${query}`)).value);
    return new Map(issues.map(({ iid, state }) => [toText(iid), state === 'closed']));
  },
  async setClosed(api, tracker, id, isClosed) {
    const body = { state_event: isClosed ? 'close' : 'reopen' };
    await api(`${getProjectPath(tracker)}/issues/${segment(id)}`, { method: 'PUT', body });
  },
};
