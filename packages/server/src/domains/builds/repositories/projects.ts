import { findProjects, type Projects } from '@mooring/contract';
import type { AppCtx } from '../../../context.ts';
import { badRequest, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { findLastFound } from '../builds.store.ts';
import { GitError } from './git.ts';
import { findHeads, readSources, toFailure } from './repositories.ts';

const projectsCodec = jsonCodec('builds.found', objectOutline<Projects>());

/** Files that are read to find projects, such as each package.json. */
const MAX_FILES = 500;
const MAX_FILE_BYTES = 262_144;

/** Refuses large repositories before their files are fetched. */
function refuseManyFiles(paths: readonly string[]): void {
  if (paths.length <= MAX_FILES) return;
  throw badRequest(
    `The repository has ${paths.length} project files such as package.json (max ${MAX_FILES}). Set maxSearchDepth to a smaller number.`,
  );
}

/** The projects of the last build, for use while the repository is unreachable. */
async function lastFound({ db, app }: AppCtx, branch: string, error: GitError): Promise<Projects> {
  const last = await findLastFound.first(db, { appId: app.id, branch });
  if (!last?.found) throw toFailure(error);
  return { ...projectsCodec.parse(last.found), commit: last.commit_sha };
}

/** Projects in the sources of the newest commit. Reading stops when the request ends. */
export async function listProjects(
  ctx: AppCtx,
  branch: string,
  { maxDepth, signal }: { maxDepth?: number | undefined; signal?: AbortSignal } = {},
): Promise<Projects> {
  const heads = await findHeads(ctx, signal);
  if (heads instanceof GitError) return lastFound(ctx, branch, heads);
  const head = heads.find((one) => one.branch === branch);
  if (!head) throw notFound('branch', branch);
  return readSources(ctx, { sha: head.sha, signal }, async ({ listFiles, readBlobs }) => {
    const blobs = new Map((await listFiles(head.sha)).map(({ path, blob }) => [path, blob]));
    const texts = new Map<string, string>();
    const prefetch = async (paths: readonly string[]) => {
      const existingPaths = paths.filter((path) => blobs.has(path));
      refuseManyFiles(existingPaths);
      const contents = await readBlobs(
        existingPaths.map((path) => blobs.get(path) ?? ''),
        MAX_FILE_BYTES,
      );
      for (const path of existingPaths) texts.set(path, contents.get(blobs.get(path) ?? '') ?? '');
    };
    const read = async (path: string) => texts.get(path);
    return { ...(await findProjects({ paths: [...blobs.keys()], read, prefetch }, maxDepth)), commit: head.sha };
  }).catch((error: unknown) => {
    if (error instanceof GitError) return lastFound(ctx, branch, error);
    throw error;
  });
}
