import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

export interface StoredTicket {
  id: number;
  title: string;
  text: string;
  /** Labels or tags. */
  marks: string[];
  isClosed: boolean;
}

interface TrackerRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: unknown;
}

type Reply = [status: number, value: unknown];

const TOKEN = 's3cr3t-token';
const basic = (name: string) => `Basic ${Buffer.from(`${name}:${TOKEN}`).toString('base64')}`;
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function getFields(body: unknown): Record<string, unknown> {
  if (!isObject(body)) throw new Error('no object was sent');
  return body;
}

function must(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

/** Request schemas of each tracker's documented API, as far as tickets use it; other requests get 400. */
const dialects = {
  github(incoming: TrackerRequest, tickets: StoredTicket[], home: string): Reply {
    const { method, path, query, headers, body } = incoming;
    must(headers.accept === 'application/vnd.github+json', 'accept');
    must(headers['x-github-api-version'] === '2022-11-28', 'version');
    if (headers.authorization !== `Bearer ${TOKEN}`) return [401, { message: `Bad credentials ${TOKEN}` }];
    const show = ({ id, title, text, isClosed }: StoredTicket) => ({
      number: id,
      title,
      body: text,
      state: isClosed ? 'closed' : 'open',
      html_url: `${home}/ada/compass/issues/${id}`,
    });
    if (method === 'GET' && path === '/repos/ada/compass') return [200, { id: 1296269, full_name: 'Ada/Compass' }];
    if (method === 'POST' && path === '/repos/ada/compass/issues') {
      const { title, body: text, labels = [], ...rest } = getFields(body);
      must(Object.keys(rest).length === 0 && Array.isArray(labels), 'fields');
      return [201, show(add(tickets, String(title), String(text), labels as string[]))];
    }
    if (method === 'GET' && path === '/repos/ada/compass/issues') {
      must(query.get('state') === 'all' && !Number.isNaN(Date.parse(query.get('since') ?? '')), 'query');
      const [page, size] = [Number(query.get('page')), Number(query.get('per_page'))];
      return [
        200,
        tickets
          .toReversed()
          .slice((page - 1) * size, page * size)
          .map(show),
      ];
    }
    const [, id] = /^\/repos\/ada\/compass\/issues\/(\d+)$/.exec(path) ?? [];
    const found = tickets.find((each) => String(each.id) === id);
    if (found && method === 'PATCH') {
      const { state, state_reason, ...rest } = getFields(body);
      must(Object.keys(rest).length === 0, 'fields');
      must(
        (state === 'closed' && state_reason === 'completed') || (state === 'open' && state_reason === 'reopened'),
        'state',
      );
      found.isClosed = state === 'closed';
    }
    return found ? [200, show(found)] : [404, { message: 'Not Found' }];
  },
  gitlab({ method, path, query, headers, body }: TrackerRequest, tickets: StoredTicket[], home: string): Reply {
    if (headers['private-token'] !== TOKEN) return [401, { message: '401 Unauthorized' }];
    const show = ({ id, title, text, isClosed }: StoredTicket) => ({
      iid: id,
      title,
      description: text,
      state: isClosed ? 'closed' : 'opened',
      web_url: `${home}/harbour/apps/compass/-/issues/${id}`,
    });
    const project = '/api/v4/projects/harbour%2Fapps%2Fcompass';
    if (method === 'GET' && path === project) return [200, { id: 7, path_with_namespace: 'Harbour/apps/compass' }];
    const [, iid] = /^\/api\/v4\/projects\/harbour%2Fapps%2Fcompass\/issues\/(\d+)$/.exec(path) ?? [];
    const changed = tickets.find(({ id }) => String(id) === iid);
    if (changed && method === 'PUT') {
      const { state_event, ...rest } = getFields(body);
      must(Object.keys(rest).length === 0 && (state_event === 'close' || state_event === 'reopen'), 'state_event');
      changed.isClosed = state_event === 'close';
      return [200, show(changed)];
    }
    must(path === `${project}/issues`, 'path');
    if (method === 'POST') {
      const { title, description, labels = '', ...rest } = getFields(body);
      must(Object.keys(rest).length === 0 && typeof labels === 'string', 'fields');
      return [201, show(add(tickets, String(title), String(description), [String(labels)]))];
    }
    must(query.get('scope') === 'all', 'scope');
    const [iids, search] = [query.getAll('iids[]'), query.get('search') ?? ''];
    must(iids.length > 0 || (search !== '' && query.get('in') === 'description'), 'query');
    const isMatch = ({ id, text }: StoredTicket) =>
      iids.length > 0 ? iids.includes(String(id)) : text.includes(search);
    return [200, tickets.filter(isMatch).map(show)];
  },
  vsts({ method, path, query, headers, body }: TrackerRequest, tickets: StoredTicket[], home: string): Reply {
    must(query.get('api-version') === '7.1', 'api-version');
    if (headers.authorization !== basic('')) return [203, '<html>Sign in</html>'];
    const project = { id: 'a1b2', name: 'Compass app', url: `${home}/_apis/projects/a1b2` };
    if (method === 'GET' && path === '/harbour/_apis/projects/Compass%20app') return [200, project];
    const at = '/harbour/Compass%20app/_apis/wit';
    if (method === 'POST' && path === `${at}/workitems/$Bug`) {
      must(headers['content-type'] === 'application/json-patch+json' && Array.isArray(body), 'a JSON patch');
      const patch = body as { op: string; path: string; value: string }[];
      must(
        patch.every(({ op }) => op === 'add'),
        'op',
      );
      const value = (path: string) => patch.find((each) => each.path === path)?.value ?? '';
      const text = value('/fields/Microsoft.VSTS.TCM.ReproSteps');
      const tags = value('/fields/System.Tags').split('; ');
      const { id } = add(tickets, value('/fields/System.Title'), text, tags);
      return [200, { id, _links: { html: { href: `${home}/harbour/_workitems/edit/${id}` } } }];
    }
    if (method === 'POST' && path === `${at}/wiql`) {
      const [, tag = ''] = /\[System\.Tags\] CONTAINS '([^']+)'$/.exec(String(getFields(body).query)) ?? [];
      return [200, { workItems: tickets.filter(({ marks }) => marks.includes(tag)).map(({ id }) => ({ id })) }];
    }
    if (path === `${at}/workitemtypes/Bug/states`) {
      const states = [
        { name: 'New', category: 'Proposed' },
        { name: 'Shipped', category: 'Completed' },
      ];
      return [200, { count: 2, value: states }];
    }
    const [, item] = /\/_apis\/wit\/workitems\/(\d+)$/.exec(path) ?? [];
    const changed = tickets.find(({ id }) => String(id) === item);
    if (changed && method === 'PATCH') {
      must(headers['content-type'] === 'application/json-patch+json' && Array.isArray(body), 'a JSON patch');
      const [{ op, path: field, value } = { op: '', path: '', value: '' }] = body as Record<string, string>[];
      must(op === 'add' && field === '/fields/System.State' && ['New', 'Shipped'].includes(value ?? ''), 'state');
      changed.isClosed = value === 'Shipped';
      return [200, { id: changed.id }];
    }
    must(path === `${at}/workitems` && query.get('errorPolicy') === 'omit', 'path');
    const ids = (query.get('ids') ?? '').split(',');
    const value = ids.map((id) => {
      const found = tickets.find((each) => String(each.id) === id);
      return found ? { id: found.id, fields: { 'System.State': found.isClosed ? 'Shipped' : 'New' } } : null;
    });
    return [200, { count: value.length, value }];
  },
  jira({ method, path, query, headers, body }: TrackerRequest, tickets: StoredTicket[]): Reply {
    if (headers.authorization !== basic('ada@example.com')) return [401, { errorMessages: ['You are not signed in.'] }];
    const at = '/rest/api/2';
    if (method === 'GET' && path === `${at}/project/SHOP`) return [200, { id: '10001', key: 'SHOP', name: 'Shop' }];
    if (method === 'POST' && path === `${at}/issue`) {
      const { project, issuetype, summary, description, labels, ...rest } = getFields(getFields(body).fields);
      must(Object.keys(rest).length === 0, 'fields');
      must(getFields(project).key === 'SHOP' && getFields(issuetype).name === 'Bug', 'project');
      must(!/[\r\n]/.test(String(summary)) && Array.isArray(labels) && !labels.some((one) => /\s/.test(one)), 'labels');
      const { id } = add(tickets, String(summary), String(description), labels as string[]);
      return [201, { id: String(id), key: `SHOP-${id}` }];
    }
    if (path === `${at}/search`) {
      const [, label = ''] = /^labels = "([^"]+)"$/.exec(query.get('jql') ?? '') ?? [];
      return [
        200,
        { issues: tickets.filter(({ marks }) => marks.includes(label)).map(({ id }) => ({ key: `SHOP-${id}` })) },
      ];
    }
    const [, id, transitions] = /^\/rest\/api\/2\/issue\/SHOP-(\d+)(\/transitions)?$/.exec(path) ?? [];
    const found = tickets.find((each) => String(each.id) === id);
    if (!found) return [404, { errorMessages: ['Issue does not exist'] }];
    if (transitions) {
      // Transitions of the workflow from the current state.
      const way = found.isClosed ? { id: '11', key: 'new' } : { id: '31', key: 'done' };
      if (method === 'GET') {
        return [200, { transitions: [{ id: way.id, name: 'x', to: { name: 'y', statusCategory: { key: way.key } } }] }];
      }
      must(method === 'POST' && getFields(getFields(body).transition).id === way.id, 'transition');
      found.isClosed = !found.isClosed;
      return [204, undefined];
    }
    return [200, { fields: { status: { name: 'x', statusCategory: { key: found.isClosed ? 'done' : 'new' } } } }];
  },
};

function add(tickets: StoredTicket[], title: string, text: string, marks: string[]): StoredTicket {
  const ticket = { id: tickets.length + 41, title, text, marks, isClosed: false };
  tickets.push(ticket);
  return ticket;
}

/** Settings that each tracker needs. */
export const connections = {
  github: { type: 'github', project: 'ada/compass', token: TOKEN, label: 'crash' },
  gitlab: { type: 'gitlab', project: 'harbour/apps/compass', token: TOKEN, label: 'crash' },
  vsts: { type: 'vsts', project: 'harbour/Compass app', token: TOKEN, label: 'crash' },
  jira: { type: 'jira', project: 'SHOP', token: TOKEN, user_name: 'ada@example.com', label: 'crash' },
} as const;

/** A bug tracker on this machine. */
export async function startTracker(type: keyof typeof dialects) {
  const tickets: StoredTicket[] = [];
  const incoming: string[] = [];
  const wrong: string[] = [];
  /** Results of the next writes: done without a response, or this status. */
  const failures: ('cut off' | number)[] = [];
  /** Statuses of the next reads. */
  const refusals: number[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const { method = '', headers } = request;
    const sent = await text(request);
    incoming.push(`${method} ${url.pathname}`);
    const failure = method === 'POST' ? failures.shift() : method === 'GET' ? refusals.shift() : undefined;
    if (typeof failure === 'number') return response.writeHead(failure).end('{}');
    try {
      const body: unknown = sent === '' ? undefined : JSON.parse(sent);
      const call = { method, path: url.pathname, query: url.searchParams, headers, body };
      const home = `http://${headers.host}`;
      const [status, value] = dialects[type](call, tickets, home);
      if (failure) return request.socket.destroy();
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(value === undefined ? undefined : JSON.stringify(value));
    } catch (error) {
      wrong.push(`${method} ${request.url}: ${(error as Error).message}`);
      response.writeHead(400).end(JSON.stringify({ message: String(error) }));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { tickets, asked: incoming, wrong, troubles: failures, refusals, base_url, token: TOKEN };
}
