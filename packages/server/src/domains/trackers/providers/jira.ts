import { type Fields, TrackerRefusal, toFields, toList, toNumber, toText } from './api.ts';
import { type Draft, type Provider, segment, type Tracker } from './provider.ts';

const API = '/rest/api/2';

/** User content is in a block that it cannot end. */
const toWiki = ({ lead, code, link }: Draft): string =>
  [lead, `{noformat}\n${code.replaceAll('{noformat', '{ noformat')}\n{noformat}`, `[${link}]`].join('\n\n');

const getPageUrl = ({ baseUrl }: Tracker, key: string): string => `${baseUrl}/browse/${segment(key)}`;

/** Jira, in the cloud and self-hosted: https://developer.atlassian.com/cloud/jira/platform/rest/v2 */
export const jira: Provider = {
  defaultUrl: undefined,
  projectPattern: /^[A-Z][A-Z0-9_]+$/,
  projectFormat: 'the project key, such as SHOP',
  headers: ({ userName }, token) => ({
    authorization: userName ? `Basic ${Buffer.from(`${userName}:${token}`).toString('base64')}` : `Bearer ${token}`,
  }),
  async check(api, { project }) {
    const found = toFields((await api(`${API}/project/${segment(project)}`)).value);
    return { jira_project_id: toNumber(found.id), jira_project_name: toText(found.name) || project };
  },
  async find(api, tracker, mark) {
    const query = new URLSearchParams({ jql: `labels = "${mark}"`, fields: 'summary', maxResults: '1' });
    // Jira Cloud has removed the older search API; other installations lack the newer one.
    const newer = await api(`${API}/search/jql?${query}`, { accepts: [404, 405] });
    const { value } = newer.status === 200 ? newer : await api(`${API}/search?${query}`);
    const [found] = toList(toFields(value).issues);
    return found && { id: toText(found.key), url: getPageUrl(tracker, toText(found.key)) };
  },
  async create(api, tracker, draft) {
    const fields = {
      project: { key: tracker.project },
      issuetype: { name: tracker.itemType },
      summary: draft.title,
      description: toWiki(draft),
      labels: [draft.mark, ...(tracker.label ? [tracker.label] : [])],
    };
    const made = toFields((await api(`${API}/issue`, { method: 'POST', body: { fields } })).value);
    return { id: toText(made.key), url: getPageUrl(tracker, toText(made.key)) };
  },
  async readClosed(api, _, ids) {
    const closed = new Map<string, boolean>();
    for (const id of ids) {
      const { status, value } = await api(`${API}/issue/${segment(id)}?fields=status`, { accepts: [404] });
      const category = toFields(toFields(toFields(toFields(value).fields).status).statusCategory);
      if (status === 200) closed.set(id, category.key === 'done');
    }
    return closed;
  },
  /** Uses a transition that the workflow allows in the current state. */
  async setClosed(api, _, id, isClosed) {
    const path = `${API}/issue/${segment(id)}/transitions`;
    const isEnd = ({ to }: Fields) => toFields(toFields(to).statusCategory).key === 'done';
    const ways = toList(toFields((await api(path)).value).transitions);
    const way = ways.find((each) => isEnd(each) === isClosed);
    if (!way) throw new TrackerRefusal(`The workflow has no transition to ${isClosed ? 'close' : 'open'} ${id}.`);
    await api(path, { method: 'POST', body: { transition: { id: toText(way.id) } }, accepts: [204] });
  },
};
