import { escapeHtml } from '../../../kernel/text/html.ts';
import { type Api, TrackerRefusal, toFields, toLink, toList, toText } from './api.ts';
import { type Draft, type Provider, segment, type Tracker } from './provider.ts';

const VERSION = 'api-version=7.1';

function getPaths({ project }: Tracker) {
  const [account = '', name = ''] = project.split('/');
  return { account, name, ofAccount: `/${segment(account)}`, ofProject: `/${segment(account)}/${segment(name)}` };
}

const toHtml = ({ lead, code, link }: Draft): string =>
  `<p>${escapeHtml(lead)}</p><pre>${escapeHtml(code)}</pre><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;

const ended = ['Completed', 'Removed'];

/** Projects have their own state names; the category defines which are final. */
async function readStates(api: Api, tracker: Tracker): Promise<{ name: string; category: string }[]> {
  const path = `${getPaths(tracker).ofProject}/_apis/wit/workitemtypes/${segment(tracker.itemType)}/states?${VERSION}`;
  const states = toList(toFields((await api(path)).value).value);
  return states.map(({ name, category }) => ({ name: toText(name), category: toText(category) }));
}

const getPageUrl = (tracker: Tracker, id: string): string =>
  `${tracker.baseUrl}${getPaths(tracker).ofProject}/_workitems/edit/${segment(id)}`;

/** Work items of Azure DevOps: https://learn.microsoft.com/rest/api/azure/devops/wit */
export const azureDevOps: Provider = {
  defaultUrl: 'https://dev.azure.com',
  projectPattern: /^[\w.-]+\/[^/]+$/,
  projectFormat: 'organization/project',
  headers: (_, token) => ({ authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` }),
  async check(api, tracker) {
    const { account, name, ofAccount } = getPaths(tracker);
    const project = toFields((await api(`${ofAccount}/_apis/projects/${segment(name)}?${VERSION}`)).value);
    return {
      vsts_project_id: toText(project.id),
      vsts_project_uri: toText(project.url),
      vsts_project_name: toText(project.name) || name,
      vsts_account_name: account,
    };
  },
  async find(api, tracker, mark) {
    const body = { query: `SELECT [System.Id] FROM WorkItems WHERE [System.Tags] CONTAINS '${mark}'` };
    const { value } = await api(`${getPaths(tracker).ofProject}/_apis/wit/wiql?${VERSION}&$top=1`, {
      method: 'POST',
      body,
    });
    const [found] = toList(toFields(value).workItems);
    return found && { id: toText(found.id), url: getPageUrl(tracker, toText(found.id)) };
  },
  async create(api, tracker, draft) {
    // For bugs, Azure DevOps shows the reproduction steps instead of the description.
    const text = tracker.itemType === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description';
    const add = (path: string, value: unknown) => ({ op: 'add', path, value });
    const body = [
      add('/fields/System.Title', draft.title),
      add(`/fields/${text}`, toHtml(draft)),
      add('/fields/System.Tags', [draft.mark, tracker.label].filter(Boolean).join('; ')),
      add('/relations/-', { rel: 'Hyperlink', url: draft.link }),
    ];
    const path = `${getPaths(tracker).ofProject}/_apis/wit/workitems/$${segment(tracker.itemType)}?${VERSION}`;
    const item = toFields((await api(path, { method: 'POST', body, type: 'application/json-patch+json' })).value);
    const id = toText(item.id);
    return { id, url: toLink(toFields(toFields(item._links).html).href) ?? getPageUrl(tracker, id) };
  },
  async readClosed(api, tracker, ids) {
    const { ofProject } = getPaths(tracker);
    const query = new URLSearchParams({ ids: ids.join(), fields: 'System.State', errorPolicy: 'omit' });
    const items = toFields((await api(`${ofProject}/_apis/wit/workitems?${query}&${VERSION}`)).value).value;
    const states = await readStates(api, tracker);
    const ends = new Set(states.filter(({ category }) => ended.includes(category)).map(({ name }) => name));
    return new Map(
      toList(items)
        .filter(({ id }) => id !== undefined)
        .map(({ id, fields }) => [toText(id), ends.has(toText(toFields(fields)['System.State']))]),
    );
  },
  async setClosed(api, tracker, id, isClosed) {
    const targetCategory = isClosed ? 'Completed' : 'Proposed';
    const state = (await readStates(api, tracker)).find(({ category }) => category === targetCategory);
    if (!state)
      throw new TrackerRefusal(
        `The work item type ${tracker.itemType} of the project has no state in the category ${targetCategory}.`,
      );
    const body = [{ op: 'add', path: '/fields/System.State', value: state.name }];
    const path = `${getPaths(tracker).ofProject}/_apis/wit/workitems/${segment(id)}?${VERSION}`;
    await api(path, { method: 'PATCH', body, type: 'application/json-patch+json' });
  },
};
