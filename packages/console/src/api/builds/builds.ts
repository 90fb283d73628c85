import {
  branchConfigurations_create,
  branchConfigurations_delete,
  branchConfigurations_get,
  branchConfigurations_update,
  buildSettings_get,
  buildSettings_update,
  builds_create,
  builds_distribute,
  builds_get,
  builds_getBadge,
  builds_getDownloadUri,
  builds_getStatusByAppId,
  builds_list,
  builds_listBranches,
  builds_listToolsetProjects,
  builds_retry,
  builds_update,
  builds_watchLog,
  commits_listByShaList,
  type EndpointInput,
  type EndpointOutput,
  pushHooks_create,
  pushHooks_delete,
  repositoryConfigurations_createOrUpdate,
  repositoryConfigurations_delete,
  repositoryConfigurations_list,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, usePages, useRead } from '../client.ts';

export type Build = EndpointOutput<typeof builds_get>;
export type Branch = EndpointOutput<typeof builds_listBranches>[number];
export type BranchSettings = EndpointInput<typeof branchConfigurations_create>['body'];
export type Repository = EndpointOutput<typeof repositoryConfigurations_list>[number];
export type Projects = EndpointOutput<typeof builds_listToolsetProjects>;
export type DownloadType = EndpointInput<typeof builds_getDownloadUri>['params']['download_type'];
export type BuildFilter = Omit<EndpointInput<typeof builds_list>['query'], 'limit' | 'cursor'>;
export type BuildSettings = EndpointInput<typeof buildSettings_update>['body'];
export type BuildPriority = NonNullable<Build['priority']>;
type Connection = EndpointInput<typeof repositoryConfigurations_createOrUpdate>['body'];
type Distribution = EndpointInput<typeof builds_distribute>['body'];

const buildsKey = (appRef: AppRef) => [...appKey(appRef), 'builds'];
const ofBranch = (appRef: AppRef, branch: string) => ({ ...appRef, branch });
const ofBuild = (appRef: AppRef, id: number) => ({ ...appRef, build_id: String(id) });

export const useRepository = (appRef: AppRef) =>
  useRead([...buildsKey(appRef), 'repository'], async () => {
    const [repository] = await call(repositoryConfigurations_list, { params: appRef, query: {} });
    return { repository };
  });

export const useConnectRepository = (appRef: AppRef) =>
  useChange(
    (body: Connection) =>
      call(repositoryConfigurations_createOrUpdate, { params: appRef, body: { ...body, check: true } }),
    buildsKey(appRef),
  );

export const useDisconnectRepository = (appRef: AppRef) =>
  useChange((_: Repository) => call(repositoryConfigurations_delete, { params: appRef }), buildsKey(appRef));

export const useCreatePushHook = (appRef: AppRef) =>
  useChange((_: undefined) => call(pushHooks_create, { params: appRef, body: {} }), buildsKey(appRef));

export const useDeletePushHook = (appRef: AppRef) =>
  useChange((_: Repository) => call(pushHooks_delete, { params: appRef }), buildsKey(appRef));

export const useBranches = (appRef: AppRef) =>
  useRead([...buildsKey(appRef), 'branches'], () => call(builds_listBranches, { params: appRef }));

export const useBuilds = (appRef: AppRef, filter: BuildFilter) =>
  usePages([...buildsKey(appRef), 'list', filter], (cursor) =>
    call(builds_list, { params: appRef, query: { ...filter, limit: 100, ...(cursor ? { cursor } : {}) } }),
  );

export const useLatestBuilds = (appRef: AppRef, limit: number) =>
  useRead(
    [...buildsKey(appRef), 'latest', limit],
    async () => (await call(builds_list, { params: appRef, query: { limit } })).values,
  );

export const useBuild = (appRef: AppRef, id: number) =>
  useRead([...buildsKey(appRef), 'build', id], () => call(builds_get, { params: ofBuild(appRef, id) }));

export const useBuildService = (appRef: AppRef) =>
  useRead([...buildsKey(appRef), 'service'], () => call(builds_getStatusByAppId, { params: appRef }));

export const useCommit = (appRef: AppRef, sha: string) =>
  useRead([...buildsKey(appRef), 'commit', sha], async () => {
    const [commit] = await call(commits_listByShaList, { params: appRef, query: { hashes: sha } });
    return commit ?? {};
  });

export const useQueueBuild = (appRef: AppRef) =>
  useChange(
    ({ branch, ...body }: { branch: string; sourceVersion?: string; debug?: boolean }) =>
      call(builds_create, { params: ofBranch(appRef, branch), body }),
    buildsKey(appRef),
  );

export const useCancelBuild = (appRef: AppRef) =>
  useChange(
    ({ id }: Pick<Build, 'id'>) =>
      call(builds_update, { params: ofBuild(appRef, id), body: { status: 'cancelling' as const } }),
    buildsKey(appRef),
  );

export const useRetryBuild = (appRef: AppRef) =>
  useChange(
    ({ id }: Pick<Build, 'id'>) => call(builds_retry, { params: ofBuild(appRef, id), body: {} }),
    buildsKey(appRef),
  );

export const usePrioritizeBuild = (appRef: AppRef) =>
  useChange(
    ({ id, priority }: { id: number; priority: BuildPriority }) =>
      call(builds_update, { params: ofBuild(appRef, id), body: { priority } }),
    buildsKey(appRef),
  );

export const useBuildSettings = (appRef: AppRef) =>
  useRead([...buildsKey(appRef), 'settings'], () => call(buildSettings_get, { params: appRef }));

export const useSaveBuildSettings = (appRef: AppRef) =>
  useChange((body: BuildSettings) => call(buildSettings_update, { params: appRef, body }), buildsKey(appRef));

export const useDistributeBuild = (appRef: AppRef, id: number) =>
  useChange((body: Distribution) => call(builds_distribute, { params: ofBuild(appRef, id), body }), appKey(appRef));

export const findDownload = async (appRef: AppRef, id: number, type: DownloadType): Promise<string> =>
  (await call(builds_getDownloadUri, { params: { ...ofBuild(appRef, id), download_type: type } })).uri;

/** Undefined if the branch is not configured. */
export const useConfiguration = (appRef: AppRef, branch: string, isConfigured: boolean) =>
  useRead([...buildsKey(appRef), 'configuration', branch, isConfigured], async () =>
    isConfigured
      ? call(branchConfigurations_get, { params: ofBranch(appRef, branch) })
      : ({} as BranchSettings & { pattern?: string }),
  );

export const useSaveConfiguration = (appRef: AppRef, branch: string, isConfigured: boolean) =>
  useChange(
    (body: BranchSettings) =>
      isConfigured
        ? call(branchConfigurations_update, { params: ofBranch(appRef, branch), body })
        : call(branchConfigurations_create, { params: ofBranch(appRef, branch), body }),
    buildsKey(appRef),
  );

/** The user leaves the page of the deleted pattern, so it is not refetched. */
export const useDeleteConfiguration = (appRef: AppRef) =>
  useChange((branch: string) => call(branchConfigurations_delete, { params: ofBranch(appRef, branch) }));

export const useProjects = (appRef: AppRef, branch: string) =>
  useRead([...buildsKey(appRef), 'projects', branch], () =>
    call(builds_listToolsetProjects, {
      params: ofBranch(appRef, branch),
      // The server detects all platforms, not only the requested one.
      query: { os: 'Android', platform: 'Java' },
    }),
  );

export const badgePath = (appId: string, branch: string): string =>
  builds_getBadge.path.replace('{app_id}', appId).replace('{branch}', encodeURIComponent(branch));

/** Event stream of a build log, from its beginning. */
export const watchBuildLog = ({ owner_name, app_name }: AppRef, id: number): EventSource =>
  new EventSource(
    builds_watchLog.path
      .replace('{owner_name}', encodeURIComponent(owner_name))
      .replace('{app_name}', encodeURIComponent(app_name))
      .replace('{build_id}', String(id)),
  );
