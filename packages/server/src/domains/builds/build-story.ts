import { builds_list } from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import type { StoryPart, StorySubject } from '../../extensions/story-parts.ts';
import { toIso } from '../../kernel/clock.ts';
import { notFound } from '../../kernel/errors.ts';
import { type BuildRow, findBuild, findCommitBuild } from './builds.store.ts';
import { findCommits, findRepository } from './repositories/repositories.store.ts';
import { commitUrl } from './repositories/repository-urls.ts';

const fullSha = /^[0-9a-f]{40}$/;

async function findStoryBuild(ctx: AppCtx, { buildId, releaseId }: StorySubject) {
  if (buildId === undefined) return undefined;
  const build = await findBuild.first(ctx.db, { appId: ctx.app.id, id: buildId });
  // The build of a release may be deleted, but a build that the caller named must exist.
  if (!build && releaseId === undefined) throw notFound('build', String(buildId));
  return build;
}

async function describeCommit(ctx: AppCtx, build: BuildRow | undefined, { commit }: StorySubject) {
  const sha = build?.commit_sha ?? commit?.sha.toLowerCase();
  if (sha === undefined || sha === '') return undefined;
  const appId = ctx.app.id;
  const [known] = await findCommits(ctx.db, { appId, shas: [sha] });
  const repository = fullSha.test(sha) ? await findRepository.first(ctx.db, { appId }) : undefined;
  const message = known?.message || commit?.message;
  return {
    sha,
    branch: build?.branch ?? commit?.branch,
    message: message?.split('\n')[0],
    author: known?.author_name || undefined,
    url: repository && (commitUrl(repository.type, repository.url, sha) || undefined),
  };
}

/** Commit and build of a release. */
export const buildStory: StoryPart = {
  needs: builds_list,
  async findBuild(ctx, { commit }) {
    const sha = commit?.sha.toLowerCase() ?? '';
    if (!fullSha.test(sha)) return undefined;
    return (await findCommitBuild.first(ctx.db, { appId: ctx.app.id, sha }))?.id;
  },
  async read(ctx, subject) {
    const build = await findStoryBuild(ctx, subject);
    return {
      commit: await describeCommit(ctx, build, subject),
      build: build && {
        id: build.id,
        branch: build.branch,
        status: build.status,
        result: build.result,
        finished_at: build.finished_at === null ? undefined : toIso(build.finished_at),
      },
    };
  },
};
