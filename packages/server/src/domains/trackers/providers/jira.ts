import { type Fields, fieldsOf, listOf, numberOf, TrackerRefusal, textOf } from './api.ts';
import { type Draft, type Provider, segment, type Tracker } from './provider.ts';

const API = '/rest/api/2';

/** Text of others stands between marks that it cannot end. */
const wikiOf = ({ lead, code, link }: Draft): string =>
  [lead, `{noformat}\n${code.replaceAll('{noformat', '{ noformat')}\n{noformat}`, `[${link}]`].join('\n\n');

const pageOf = ({ baseUrl }: Tracker, key: string): string => `${baseUrl}/browse/${segment(key)}`;

/** Jira, in the cloud and on one's own machines: https://developer.atlassian.com/cloud/jira/platform/rest/v2 */
export const jira: Provider = {
  defaultUrl: undefined,
  projectPattern: /^[A-Z][A-Z0-9_]+$/,
  projectWords: 'the key of the project, such as SHOP',
  headers: ({ userName }, token) => ({
    authorization: userName ? `Basic ${Buffer.from(`${userName}:${token}`).toString('base64')}` : `Bearer ${token}`,
  }),
  async check(api, { project }) {
    const found = fieldsOf((await api(`${API}/project/${segment(project)}`)).value);
    return { jira_project_id: numberOf(found.id), jira_project_name: textOf(found.name) || project };
  },
  async find(api, tracker, mark) {
    const query = new URLSearchParams({ jql: `labels = "${mark}"`, fields: 'summary', maxResults: '1' });
    // In the cloud, the older search is gone; elsewhere, the newer is not there yet.
    const newer = await api(`${API}/search/jql?${query}`, { accepts: [404, 405] });
    const { value } = newer.status === 200 ? newer : await api(`${API}/search?${query}`);
    const [found] = listOf(fieldsOf(value).issues);
    return found && { id: textOf(found.key), url: pageOf(tracker, textOf(found.key)) };
  },
  async create(api, tracker, draft) {
    const fields = {
      project: { key: tracker.project },
      issuetype: { name: tracker.itemType },
      summary: draft.title,
      description: wikiOf(draft),
      labels: [draft.mark, ...(tracker.label ? [tracker.label] : [])],
    };
    const made = fieldsOf((await api(`${API}/issue`, { method: 'POST', body: { fields } })).value);
    return { id: textOf(made.key), url: pageOf(tracker, textOf(made.key)) };
  },
  async readClosed(api, _, ids) {
    const closed = new Map<string, boolean>();
    for (const id of ids) {
      const { status, value } = await api(`${API}/issue/${segment(id)}?fields=status`, { accepts: [404] });
      const category = fieldsOf(fieldsOf(fieldsOf(fieldsOf(value).fields).status).statusCategory);
      if (status === 200) closed.set(id, category.key === 'done');
    }
    return closed;
  },
  /** By one of the ways that its workflow leaves open from where it is. */
  async setClosed(api, _, id, isClosed) {
    const path = `${API}/issue/${segment(id)}/transitions`;
    const isEnd = ({ to }: Fields) => fieldsOf(fieldsOf(to).statusCategory).key === 'done';
    const ways = listOf(fieldsOf((await api(path)).value).transitions);
    const way = ways.find((each) => isEnd(each) === isClosed);
    if (!way) throw new TrackerRefusal(`The workflow has no way to ${isClosed ? 'close' : 'open'} ${id}.`);
    await api(path, { method: 'POST', body: { transition: { id: textOf(way.id) } }, accepts: [204] });
  },
};
