import {
  apps_create,
  apps_createForOrg,
  apps_delete,
  apps_deleteAvatar,
  apps_get,
  apps_getTeams,
  apps_list,
  apps_listAccess,
  apps_listForOrg,
  apps_removeUser,
  apps_transferOwnership,
  apps_transferToOrg,
  apps_update,
  apps_updateAvatar,
  apps_updateUserPermissions,
  type EndpointInput,
  type EndpointOutput,
  type GrantablePermission,
  userApps_list,
  users_list,
} from '@mooring/contract';
import { call, prefetchPages, queries, useChange, usePages, useRead } from './client.ts';

export type App = EndpointOutput<typeof apps_get>;
export type AppRef = EndpointInput<typeof apps_get>['params'];
export type AppUser = EndpointOutput<typeof users_list>[number];
export type AppAccess = EndpointOutput<typeof apps_listAccess>['values'][number];
export type ListedApp = EndpointOutput<typeof userApps_list>['values'][number];
export type AppsQuery = Omit<EndpointInput<typeof userApps_list>['query'], 'limit' | 'cursor'>;
export type AccessQuery = Pick<EndpointInput<typeof apps_listAccess>['query'], 'search' | 'sort' | 'order'>;
export type NewApp = EndpointInput<typeof apps_create>['body'];
export type AppChange = EndpointInput<typeof apps_update>['body'];

export const APPS = ['apps'];
export const appKey = ({ owner_name, app_name }: AppRef) => ['app', owner_name, app_name];
const usersKey = (appRef: AppRef) => [...appKey(appRef), 'users'];

export const toAppRef = ({ owner, name }: App): AppRef => ({ owner_name: owner.name, app_name: name });

export const useApps = () => useRead(APPS, () => call(apps_list));

const pagesKey = (query: AppsQuery) => [...APPS, 'pages', query];
const readPage = (query: AppsQuery) => (cursor: string | undefined) =>
  call(userApps_list, { query: { ...query, cursor } });

/** Searched and sorted page by page. */
export const useAppPages = (query: AppsQuery) => usePages<ListedApp>(pagesKey(query), readPage(query));

/** Prefetches the apps while the page's code still loads. */
export const prefetchApps = (): Promise<void> => prefetchPages(pagesKey({}), readPage({}));

export const useOrgApps = (org_name: string) =>
  useRead([...APPS, org_name], () => call(apps_listForOrg, { params: { org_name } }));

export const useApp = (params: AppRef, enabled = true) =>
  useRead(appKey(params), () => call(apps_get, { params }), enabled);

/** Without an organization, the user owns the app. */
export const useCreateApp = () =>
  useChange(
    ({ org, body }: { org: string | undefined; body: NewApp }) =>
      org ? call(apps_createForOrg, { params: { org_name: org }, body }) : call(apps_create, { body }),
    APPS,
  );

/** The app may have been renamed, so it is not refetched under its old name. */
export const useUpdateApp = (params: AppRef) =>
  useChange(async (body: AppChange) => {
    const saved = await call(apps_update, { params, body });
    queries.setQueryData(appKey(toAppRef(saved)), saved);
    return saved;
  }, APPS);

/** Without a file, removes the icon. */
export const useSetAppIcon = (params: AppRef) =>
  useChange(
    (file: File | undefined) =>
      file ? call(apps_updateAvatar, { params, file }) : call(apps_deleteAvatar, { params }),
    APPS,
    appKey(params),
  );

export const useDeleteApp = (params: AppRef) => useChange(() => call(apps_delete, { params }), APPS);

export const useTransferApp = (params: AppRef) =>
  useChange(
    (destination_owner_name: string) =>
      call(apps_transferOwnership, { params: { ...params, destination_owner_name }, body: {} }),
    APPS,
  );

export const useTransferToNewOrg = (params: AppRef) =>
  useChange(() => call(apps_transferToOrg, { params, body: {} }), APPS, ['orgs']);

export const useAppUsers = (params: AppRef) => useRead(usersKey(params), () => call(users_list, { params }));

/** Everyone with access to the app, with the source of the access. */
export const useAppAccess = (params: AppRef, query: AccessQuery) =>
  usePages<AppAccess>([...usersKey(params), 'access', query], (cursor) =>
    call(apps_listAccess, { params, query: { ...query, cursor } }),
  );

export const useAppTeams = (params: AppRef) =>
  useRead([...appKey(params), 'teams'], () => call(apps_getTeams, { params }));

/** Users can change their own role, so the app is refetched too. */
export const useSetPermission = (params: AppRef) =>
  useChange(
    ({ email, permission }: { email: string; permission: GrantablePermission }) =>
      call(apps_updateUserPermissions, {
        params: { ...params, user_email: email },
        body: { permissions: [permission] },
      }),
    appKey(params),
  );

export const useRemoveAppUser = (params: AppRef) =>
  useChange(
    ({ email, keepsTokens }: { email: string; keepsTokens: boolean }) =>
      call(apps_removeUser, {
        params: { ...params, user_email: email },
        query: keepsTokens ? { keep_tokens: true } : {},
      }),
    APPS,
    appKey(params),
  );
