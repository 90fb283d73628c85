import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const env = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada Lovelace',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada Lovelace',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
};

/** Handles a request like web servers: through the CGI program of git. */
function answer(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [pathname = '', query = ''] = (request.url ?? '').split('?');
  const cgi = {
    ...env,
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: pathname,
    QUERY_STRING: query,
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: String(request.headers['content-encoding'] ?? ''),
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
  };
  const backend = spawn('git', ['http-backend'], { env: cgi, stdio: ['pipe', 'pipe', 'ignore'] });
  request.pipe(backend.stdin);
  const chunks: Buffer[] = [];
  backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  backend.once('close', () => {
    const all = Buffer.concat(chunks);
    const end = all.indexOf('\r\n\r\n');
    const headers = all
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ') as [string, string]);
    const status = Number.parseInt(headers.find(([name]) => name === 'Status')?.[1] ?? '200', 10);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name !== 'Status')));
    response.end(all.subarray(end + 4));
  });
}

interface GitRequest {
  url: string;
  authorization: string | undefined;
}

/** A Git host on this machine, with one repository, for tests. */
export async function startGitHost({ password }: { password?: string } = {}) {
  const root = mkdtempSync(path.join(tmpdir(), 'mooring-git-host-'));
  const work = path.join(root, 'work');
  const git = (...args: string[]) => execFileSync('git', ['-C', work, ...args], { env, encoding: 'utf8' }).trim();
  execFileSync('git', ['init', '--quiet', '--bare', path.join(root, 'compass.git')], { env });
  execFileSync('git', ['init', '--quiet', '-b', 'main', work], { env });
  const requestedUrls: string[] = [];
  const requests: GitRequest[] = [];
  /** The first part of a path, mapped to the URL to redirect to. */
  const redirects = new Map<string, string>();
  const authorization = password && `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    requestedUrls.push(request.url ?? '');
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const [, first = '', rest = ''] = /^\/([^/]*)(.*)$/s.exec(request.url ?? '') ?? [];
    const redirect = redirects.get(first);
    if (redirect !== undefined) {
      response.writeHead(302, { location: `${redirect}${rest}` }).end();
    } else if (request.url?.startsWith('/moved')) {
      response.writeHead(301, { location: request.url.replace('/moved', '/compass') }).end();
    } else if (authorization && request.headers.authorization !== authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    } else answer(root, request, response);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  function commit(branch: string, files: Record<string, string>, message = 'Points north again'): string {
    git('checkout', '--quiet', '-B', branch);
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(work, name)), { recursive: true });
      writeFileSync(path.join(work, name), content);
    }
    git('add', '-A');
    git('commit', '--quiet', '--allow-empty', '-m', message);
    return git('rev-parse', 'HEAD');
  }
  return {
    url: `${origin}/compass.git`,
    movedUrl: `${origin}/moved.git`,
    /** The bare repository. */
    folder: path.join(root, 'compass.git'),
    asked: requestedUrls,
    requests,
    /** Redirects all requests for a repository, by its name. */
    redirect(name: string, to: string): void {
      redirects.set(name, to);
    },
    async stop() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
      rmSync(root, { recursive: true, force: true });
    },
    /** Sets the shell command that the repository runs after each push. */
    setHook(line: string): void {
      const hook = path.join(root, 'compass.git/hooks/post-receive');
      writeFileSync(hook, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
    },
    /** Pushes a branch over smart HTTP. */
    async pushOverHttp(branch: string): Promise<void> {
      execFileSync('git', ['-C', path.join(root, 'compass.git'), 'config', 'http.receivepack', 'true'], { env });
      const credentials = password === undefined ? '' : `ada:${encodeURIComponent(password)}@`;
      const url = `${origin.replace('//', `//${credentials}`)}/compass.git`;
      await promisify(execFile)('git', ['-C', work, 'push', '--quiet', url, branch], { env });
    },
    /** Commits these files to a branch, without a push. */
    commit,
    /** Adds a submodule to the files of the next commit. */
    addSubmodule(name: string, url: string, sha: string): void {
      // Without its folder, the next commit would remove it.
      mkdirSync(path.join(work, name), { recursive: true });
      git('config', '--file', '.gitmodules', `submodule.${name}.path`, name);
      git('config', '--file', '.gitmodules', `submodule.${name}.url`, url);
      git('update-index', '--add', '--cacheinfo', `160000,${sha},${name}`);
    },
    /** Commits these files to a branch and pushes it; returns the commit. */
    push(branch: string, files: Record<string, string>, message?: string): string {
      const sha = commit(branch, files, message);
      git('push', '--quiet', '--force', path.join(root, 'compass.git'), branch);
      return sha;
    },
  };
}
