import { findProjects, type Projects } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { notFound } from '../../kernel/errors.ts';
import { findLastFound } from './builds.store.ts';
import { GitError } from './git.ts';
import { findHeads, readSources, refusalOf } from './repositories.ts';

const LARGEST = 262_144;

/** What the last build found, while the repository cannot be reached. */
async function lastFound({ db, app }: AppCtx, branch: string, error: GitError): Promise<Projects> {
  const last = await findLastFound.first(db, { appId: app.id, branch });
  if (!last?.found) throw refusalOf(error);
  return { ...(JSON.parse(last.found) as Projects), commit: last.commit_sha };
}

/** Projects in the sources of the newest commit. */
export async function listProjects(ctx: AppCtx, branch: string, maxDepth?: number): Promise<Projects> {
  const heads = await findHeads(ctx);
  if (heads instanceof GitError) return lastFound(ctx, branch, heads);
  const head = heads.find((one) => one.branch === branch);
  if (!head) throw notFound('branch', branch);
  return readSources(ctx, head.sha, async ({ git }) => {
    const paths = (await git('ls-tree', '-r', '-z', '--name-only', head.sha)).split('\0').filter(Boolean);
    const known = new Set(paths);
    const read = async (path: string) =>
      known.has(path) ? (await git('cat-file', 'blob', `${head.sha}:${path}`)).slice(0, LARGEST) : undefined;
    return { ...(await findProjects({ paths, read }, maxDepth)), commit: head.sha };
  }).catch((error: unknown) => {
    if (error instanceof GitError) return lastFound(ctx, branch, error);
    throw error;
  });
}
