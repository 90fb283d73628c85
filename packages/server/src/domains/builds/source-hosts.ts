import type { AppCtx } from '../../context.ts';
import { badRequest } from '../../kernel/errors.ts';
import { parseForeignJson } from '../../kernel/json.ts';
import { OutboundError } from '../../outbound/fetch.ts';
import { findRepository } from './repositories.store.ts';
import { getConnected } from './repositories.ts';

export type SourceHost = 'github' | 'bitbucket' | 'vsts' | 'gitlab';

export interface HostedRepository {
  name: string;
  cloneUrl: string;
}

interface Asked {
  /** Of the repository that is connected. */
  url: URL;
  account?: string | undefined;
  project?: string | undefined;
}

type Json = Record<string, unknown>;

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]).slice(0, 100) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Bitbucket names several. */
const httpsLink = (links: unknown): string =>
  textOf(listOf((links as Json | undefined)?.clone).find(({ name }) => name === 'https')?.href);

interface Host {
  address(asked: Asked): string;
  read(answer: unknown): HostedRepository[];
}

const hosts: Record<SourceHost, Host> = {
  github: {
    address: () => 'https://api.github.com/user/repos?per_page=100&sort=pushed',
    read: (answer) =>
      listOf(answer).map(({ full_name, clone_url }) => ({ name: textOf(full_name), cloneUrl: textOf(clone_url) })),
  },
  gitlab: {
    address: ({ url }) => `${url.origin}/api/v4/projects?membership=true&per_page=100&order_by=last_activity_at`,
    read: (answer) =>
      listOf(answer).map(({ path_with_namespace, http_url_to_repo }) => ({
        name: textOf(path_with_namespace),
        cloneUrl: textOf(http_url_to_repo),
      })),
  },
  bitbucket: {
    address: () => 'https://api.bitbucket.org/2.0/repositories?role=member&pagelen=100',
    read: (answer) =>
      listOf((answer as Json | null)?.values).map(({ full_name, links }) => ({
        name: textOf(full_name),
        cloneUrl: httpsLink(links),
      })),
  },
  vsts: {
    address: ({ url, account = url.pathname.split('/')[1] ?? '', project }) =>
      `https://dev.azure.com/${encodeURIComponent(account)}/${project ? `${encodeURIComponent(project)}/` : ''}_apis/git/repositories?api-version=7.0`,
    read: (answer) =>
      listOf((answer as Json | null)?.value).map(({ name, remoteUrl }) => ({
        name: textOf(name),
        cloneUrl: textOf(remoteUrl),
      })),
  },
};

const LARGEST = 4 * 1_048_576;

/** Asks the API of the host with the credentials of the connected repository, and only if it is on that host. */
export async function listHostedRepositories(
  ctx: AppCtx,
  host: SourceHost,
  which: Omit<Asked, 'url'>,
): Promise<HostedRepository[]> {
  const row = await findRepository.first(ctx.db, { appId: ctx.app.id });
  if (row?.type !== host) return [];
  const { remote } = await getConnected(ctx, ctx.app.id);
  if (remote.password === undefined) return [];
  const { address, read } = hosts[host];
  const pair = Buffer.from(`${remote.username ?? ''}:${remote.password}`).toString('base64');
  const authorization = host === 'github' || host === 'gitlab' ? `Bearer ${remote.password}` : `Basic ${pair}`;
  try {
    const answer = await ctx.fetch(address({ url: new URL(remote.url), ...which }), {
      headers: { accept: 'application/json', authorization },
      maxBytes: LARGEST,
    });
    if (answer.status !== 200)
      throw badRequest(`The host answered ${answer.status}; its token may not list repositories.`);
    return read(parseForeignJson(answer.body));
  } catch (error) {
    if (error instanceof OutboundError) throw badRequest(error.message);
    if (error instanceof SyntaxError) throw badRequest('The host answered with something that is no list.');
    throw error;
  }
}
