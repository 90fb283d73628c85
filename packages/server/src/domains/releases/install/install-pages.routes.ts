import {
  installPages_getApp,
  installPages_getGroup,
  installPages_getGroupRelease,
  installPages_getLink,
  installPages_getRelease,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { showAppPage, showGroupPage, showLinkedPage } from './install-pages.ts';

interface InPath {
  owner_type: string;
  owner_name: string;
  app_name: string;
}

const toAppAddress = ({ owner_type, owner_name, app_name }: InPath) => ({
  ownerType: owner_type,
  owner: owner_name,
  app: app_name,
});

export const installPageRoutes = [
  route(installPages_getApp, (ctx, { params }) => showAppPage(ctx, toAppAddress(params), undefined)),
  route(installPages_getRelease, (ctx, { params }) =>
    showAppPage(ctx, toAppAddress(params), Number(params.release_id)),
  ),
  route(installPages_getGroup, (ctx, { params }) =>
    showGroupPage(ctx, { ...toAppAddress(params), group: params.distribution_group_name }, undefined),
  ),
  route(installPages_getGroupRelease, (ctx, { params }) =>
    showGroupPage(ctx, { ...toAppAddress(params), group: params.distribution_group_name }, Number(params.release_id)),
  ),
  route(installPages_getLink, (ctx, { params }) => showLinkedPage(ctx, params.link)),
];
