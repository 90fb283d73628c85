import { badRequest } from '../../../kernel/errors.ts';

export type HostType = 'github' | 'gitlab' | 'bitbucket' | 'vsts' | 'git';

export interface RepositoryUrl {
  /** Without user name and password. */
  url: string;
  type: HostType;
  username: string | undefined;
  password: string | undefined;
}

const detectHostType = (host: string): HostType => {
  if (host === 'github.com') return 'github';
  if (host === 'bitbucket.org') return 'bitbucket';
  if (host === 'dev.azure.com' || host.endsWith('.visualstudio.com')) return 'vsts';
  return host === 'gitlab.com' || host.startsWith('gitlab.') ? 'gitlab' : 'git';
};

export const isSsh = (url: string): boolean => url.startsWith('ssh://');

/** Short form `git@example.com:ada/compass.git`, or ssh://. */
function readSshUrl(text: string): RepositoryUrl | undefined {
  const short = /^([A-Za-z0-9_][\w.-]{0,63})@([A-Za-z0-9][A-Za-z0-9.-]{0,252}):([\w.~][\w.~/+-]{0,1000})$/.exec(text);
  const long =
    /^ssh:\/\/(?:([A-Za-z0-9_][\w.-]{0,63})@)?([A-Za-z0-9][A-Za-z0-9.-]{0,252})(:\d{1,5})?\/([\w.~/+-]{1,1000})$/i.exec(
      text,
    );
  const [, user = 'git', host, port, path] = short ? [text, short[1], short[2], undefined, short[3]] : (long ?? []);
  if (!host || !path || path.split('/').includes('..')) return undefined;
  const name = host.toLowerCase();
  return {
    url: `ssh://${user}@${name}${port ?? ''}/${path.replace(/^\/+/, '')}`,
    type: detectHostType(name),
    username: undefined,
    password: undefined,
  };
}

/** Refuses anything that git could interpret as something other than a web or SSH address. */
export function readRepositoryUrl(text: string): RepositoryUrl {
  const trimmed = text.trim();
  const ssh = readSshUrl(trimmed);
  if (ssh) return ssh;
  const parsed = /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
  if (!parsed?.hostname) {
    throw badRequest(
      'The repository URL must begin with https:// or ssh://, or look like git@example.com:ada/compass.git.',
    );
  }
  if (parsed.search || parsed.hash) throw badRequest('The repository URL must not contain "?" or "#".');
  if (parsed.pathname.replaceAll('/', '') === '')
    throw badRequest('The repository URL has no path. Add the path of the repository on its host.');
  const [username, password] = [parsed.username, parsed.password].map(decodeURIComponent);
  parsed.username = '';
  parsed.password = '';
  return {
    url: parsed.href,
    type: detectHostType(parsed.hostname),
    username: username || undefined,
    password: password || undefined,
  };
}

/** `ada/compass` of `https://git.example.com/ada/compass.git`. */
export const repositoryName = (url: string): string => new URL(url).pathname.replace(/^\/+|\.git$/g, '');

/** Web page of a commit, for known hosts. */
export function commitUrl(type: string, url: string, sha: string): string {
  const { host, hostname, pathname } = new URL(url);
  const page = isSsh(url) ? `https://${hostname}${pathname}` : `${new URL(url).protocol}//${host}${pathname}`;
  const base = page.replace(/\.git$/, '');
  if (type === 'github' || type === 'vsts') return `${base}/commit/${sha}`;
  if (type === 'gitlab') return `${base}/-/commit/${sha}`;
  return type === 'bitbucket' ? `${base}/commits/${sha}` : '';
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: git refuses them
const refused = /^[-/.]|[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$|^@$/;

/** The rules of `git check-ref-format`; also refuses names that look like an option. */
export const isBranchName = (name: string): boolean => name.length <= 250 && !refused.test(name);

export function checkBranch(name: string): string {
  if (!isBranchName(name)) throw badRequest(`"${name.slice(0, 100)}" is not a valid branch name.`);
  return name;
}
