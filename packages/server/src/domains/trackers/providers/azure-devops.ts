import { escapeHtml } from '../../../kernel/html.ts';
import { type Api, fieldsOf, linkOf, listOf, TrackerRefusal, textOf } from './api.ts';
import { type Draft, type Provider, segment, type Tracker } from './provider.ts';

const VERSION = 'api-version=7.1';

function pathsOf({ project }: Tracker) {
  const [account = '', name = ''] = project.split('/');
  return { account, name, ofAccount: `/${segment(account)}`, ofProject: `/${segment(account)}/${segment(name)}` };
}

const htmlOf = ({ lead, code, link }: Draft): string =>
  `<p>${escapeHtml(lead)}</p><pre>${escapeHtml(code)}</pre><p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`;

const ended = ['Completed', 'Removed'];

/** States have names of each project's own; their category says which are an end. */
async function readStates(api: Api, tracker: Tracker): Promise<{ name: string; category: string }[]> {
  const path = `${pathsOf(tracker).ofProject}/_apis/wit/workitemtypes/${segment(tracker.itemType)}/states?${VERSION}`;
  const states = listOf(fieldsOf((await api(path)).value).value);
  return states.map(({ name, category }) => ({ name: textOf(name), category: textOf(category) }));
}

const pageOf = (tracker: Tracker, id: string): string =>
  `${tracker.baseUrl}${pathsOf(tracker).ofProject}/_workitems/edit/${segment(id)}`;

/** Work items of Azure DevOps: https://learn.microsoft.com/rest/api/azure/devops/wit */
export const azureDevOps: Provider = {
  defaultUrl: 'https://dev.azure.com',
  projectPattern: /^[\w.-]+\/[^/]+$/,
  projectWords: 'organization/project',
  headers: (_, token) => ({ authorization: `Basic ${Buffer.from(`:${token}`).toString('base64')}` }),
  async check(api, tracker) {
    const { account, name, ofAccount } = pathsOf(tracker);
    const project = fieldsOf((await api(`${ofAccount}/_apis/projects/${segment(name)}?${VERSION}`)).value);
    return {
      vsts_project_id: textOf(project.id),
      vsts_project_uri: textOf(project.url),
      vsts_project_name: textOf(project.name) || name,
      vsts_account_name: account,
    };
  },
  async find(api, tracker, mark) {
    const body = { query: `SELECT [System.Id] FROM WorkItems WHERE [System.Tags] CONTAINS '${mark}'` };
    const { value } = await api(`${pathsOf(tracker).ofProject}/_apis/wit/wiql?${VERSION}&$top=1`, {
      method: 'POST',
      body,
    });
    const [found] = listOf(fieldsOf(value).workItems);
    return found && { id: textOf(found.id), url: pageOf(tracker, textOf(found.id)) };
  },
  async create(api, tracker, draft) {
    // Of a bug, people see the steps and not the description.
    const text = tracker.itemType === 'Bug' ? 'Microsoft.VSTS.TCM.ReproSteps' : 'System.Description';
    const add = (path: string, value: unknown) => ({ op: 'add', path, value });
    const body = [
      add('/fields/System.Title', draft.title),
      add(`/fields/${text}`, htmlOf(draft)),
      add('/fields/System.Tags', [draft.mark, tracker.label].filter(Boolean).join('; ')),
      add('/relations/-', { rel: 'Hyperlink', url: draft.link }),
    ];
    const path = `${pathsOf(tracker).ofProject}/_apis/wit/workitems/$${segment(tracker.itemType)}?${VERSION}`;
    const item = fieldsOf((await api(path, { method: 'POST', body, type: 'application/json-patch+json' })).value);
    const id = textOf(item.id);
    return { id, url: linkOf(fieldsOf(fieldsOf(item._links).html).href) ?? pageOf(tracker, id) };
  },
  async readClosed(api, tracker, ids) {
    const { ofProject } = pathsOf(tracker);
    const query = new URLSearchParams({ ids: ids.join(), fields: 'System.State', errorPolicy: 'omit' });
    const items = fieldsOf((await api(`${ofProject}/_apis/wit/workitems?${query}&${VERSION}`)).value).value;
    const states = await readStates(api, tracker);
    const ends = new Set(states.filter(({ category }) => ended.includes(category)).map(({ name }) => name));
    return new Map(
      listOf(items)
        .filter(({ id }) => id !== undefined)
        .map(({ id, fields }) => [textOf(id), ends.has(textOf(fieldsOf(fields)['System.State']))]),
    );
  },
  async setClosed(api, tracker, id, isClosed) {
    const wanted = isClosed ? 'Completed' : 'Proposed';
    const state = (await readStates(api, tracker)).find(({ category }) => category === wanted);
    if (!state) throw new TrackerRefusal(`A ${tracker.itemType} of the project has no state of the kind ${wanted}.`);
    const body = [{ op: 'add', path: '/fields/System.State', value: state.name }];
    const path = `${pathsOf(tracker).ofProject}/_apis/wit/workitems/${segment(id)}?${VERSION}`;
    await api(path, { method: 'PATCH', body, type: 'application/json-patch+json' });
  },
};
