import { builds_list, OVERVIEW_ROWS, repositoryConfigurations_list } from '@mooring/contract';
import { type AppOverviewPart, summarize } from '../../extensions/app-overviews.ts';
import { DAY, toIso } from '../../kernel/clock.ts';
import { type BuildRow, pageBuilds } from './builds.store.ts';
import { findRepository } from './repositories/repositories.store.ts';

const CONSIDERED = 50;

/** Branches whose latest completed build failed. */
function listFailing(rows: readonly BuildRow[], since: number): BuildRow[] {
  const byBranch = Map.groupBy(
    rows.filter(({ result }) => result === 'succeeded' || result === 'failed'),
    ({ branch }) => branch,
  );
  return [...byBranch.values()]
    .flatMap(([latest]) => latest ?? [])
    .filter(({ result, queued_at }) => result === 'failed' && queued_at >= since);
}

/** The latest builds, and branches that do not build. */
export const buildOverview: AppOverviewPart = {
  needs: builds_list,
  async read(ctx) {
    const rows = await pageBuilds(ctx.db, { appId: ctx.app.id, filter: {}, before: undefined, limit: CONSIDERED });
    const failing = listFailing(rows, ctx.clock.now() - 28 * DAY).map(({ id, branch, queued_at }) => ({
      name: branch,
      path: { build_id: String(id) },
      at: toIso(queued_at),
    }));
    return {
      builds: rows.slice(0, OVERVIEW_ROWS).map(({ id, branch, status, result, queued_at }) => ({
        id,
        branch,
        status,
        result,
        queued_at: toIso(queued_at),
      })),
      attention: summarize('failed_build', 'urgent', failing),
    };
  },
};

/** A repository that refuses the credentials. */
export const repositoryOverview: AppOverviewPart = {
  needs: repositoryConfigurations_list,
  async read(ctx) {
    const repository = await findRepository.first(ctx.db, { appId: ctx.app.id });
    if (repository?.state !== 'unauthorized') return {};
    return { attention: summarize('repository_unauthorized', 'warning', [{ name: repository.url }]) };
  },
};
