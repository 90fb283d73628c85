import type { AppCtx } from '../../../context.ts';
import { badRequest } from '../../../kernel/errors.ts';
import { parseForeignJson } from '../../../kernel/text/json.ts';
import { OutboundError } from '../../../outbound/fetch.ts';
import { findRepository } from './repositories.store.ts';
import { getConnected } from './repositories.ts';

export type SourceHost = 'github' | 'bitbucket' | 'vsts' | 'gitlab';

export interface HostedRepository {
  name: string;
  cloneUrl: string;
}

interface RepositoryQuery {
  /** URL of the connected repository. */
  url: URL;
  account?: string | undefined;
  project?: string | undefined;
}

type Json = Record<string, unknown>;

const toList = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]).slice(0, 100) : []);
const toText = (value: unknown): string => (typeof value === 'string' ? value : '');
/** Bitbucket lists several URLs. */
const httpsLink = (links: unknown): string =>
  toText(toList((links as Json | undefined)?.clone).find(({ name }) => name === 'https')?.href);

interface Host {
  address(repositoryQuery: RepositoryQuery): string;
  read(response: unknown): HostedRepository[];
}

const hosts: Record<SourceHost, Host> = {
  github: {
    address: () => 'https://api.github.com/user/repos?per_page=100&sort=pushed',
    read: (response) =>
      toList(response).map(({ full_name, clone_url }) => ({ name: toText(full_name), cloneUrl: toText(clone_url) })),
  },
  gitlab: {
    address: ({ url }) => `${url.origin}/api/v4/projects?membership=true&per_page=100&order_by=last_activity_at`,
    read: (response) =>
      toList(response).map(({ path_with_namespace, http_url_to_repo }) => ({
        name: toText(path_with_namespace),
        cloneUrl: toText(http_url_to_repo),
      })),
  },
  bitbucket: {
    address: () => 'https://api.bitbucket.org/2.0/repositories?role=member&pagelen=100',
    read: (response) =>
      toList((response as Json | null)?.values).map(({ full_name, links }) => ({
        name: toText(full_name),
        cloneUrl: httpsLink(links),
      })),
  },
  vsts: {
    address: ({ url, account = url.pathname.split('/')[1] ?? '', project }) =>
      `https://dev.azure.com/${encodeURIComponent(account)}/${project ? `${encodeURIComponent(project)}/` : ''}_apis/git/repositories?api-version=7.0`,
    read: (response) =>
      toList((response as Json | null)?.value).map(({ name, remoteUrl }) => ({
        name: toText(name),
        cloneUrl: toText(remoteUrl),
      })),
  },
};

const MAX_RESPONSE_BYTES = 4 * 1_048_576;

/** Calls the API of the host with the credentials of the connected repository, if it is on that host. */
export async function listHostedRepositories(
  ctx: AppCtx,
  host: SourceHost,
  which: Omit<RepositoryQuery, 'url'>,
): Promise<HostedRepository[]> {
  const row = await findRepository.first(ctx.db, { appId: ctx.app.id });
  if (row?.type !== host) return [];
  const { remote } = await getConnected(ctx, ctx.app.id);
  if (remote.password === undefined) return [];
  const { address, read } = hosts[host];
  const pair = Buffer.from(`${remote.username ?? ''}:${remote.password}`).toString('base64');
  const authorization = host === 'github' || host === 'gitlab' ? `Bearer ${remote.password}` : `Basic ${pair}`;
  try {
    const response = await ctx.fetch(address({ url: new URL(remote.url), ...which }), {
      headers: { accept: 'application/json', authorization },
      maxBytes: MAX_RESPONSE_BYTES,
    });
    if (response.status !== 200)
      throw badRequest(
        `The repository host responded with ${response.status}. Check that the token may list repositories.`,
      );
    return read(parseForeignJson(response.body));
  } catch (error) {
    if (error instanceof OutboundError) throw badRequest(error.message);
    if (error instanceof SyntaxError)
      throw badRequest(
        'The response of the repository host is not a list of repositories. Check that the URL is its API.',
      );
    throw error;
  }
}
