import {
  repositories_list,
  repositoryConfigurations_createOrUpdate,
  repositoryConfigurations_delete,
  repositoryConfigurations_list,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { disconnectRepository } from '../builds.ts';
import { hookUrl } from '../pushes/pushes.ts';
import { checkRepository, connectRepository, listRepositories } from './repositories.ts';
import { listHostedRepositories } from './source-hosts.ts';

export const repositoryRoutes = [
  route(repositoryConfigurations_list, async (ctx) =>
    (await listRepositories(ctx)).map(({ url, extraFields, hookId, pushedAt, deployKey, ...repository }) => ({
      ...extraFields,
      repo_url: url,
      ...repository,
      deploy_key: deployKey,
      push_url: hookId && hookUrl(ctx, hookId),
      pushed_at: pushedAt === undefined ? undefined : toIso(pushedAt),
    })),
  ),
  route(repositoryConfigurations_createOrUpdate, async (ctx, { body }) => {
    const { repo_url, username, password, check, ...extraFields } = body;
    const input = { url: repo_url, username, password, extraFields };
    if (check) await checkRepository(ctx, input);
    const { url, deployKey } = await connectRepository(ctx, input);
    const next = deployKey === undefined ? '' : ` Add this deploy key with read access at its host: ${deployKey}`;
    return { message: `Connected ${url}.${next}` };
  }),
  route(repositoryConfigurations_delete, async (ctx) => {
    await disconnectRepository(ctx);
    return { message: 'Disconnected the repository.' };
  }),
  route(repositories_list, async (ctx, { params, query: { vstsAccountName, vstsProjectId } }) => {
    const found = await listHostedRepositories(ctx, params.source_host, {
      account: vstsAccountName,
      project: vstsProjectId,
    });
    return found.map(({ name, cloneUrl }) => ({ name, clone_url: cloneUrl }));
  }),
];
