import {
  installPages_download,
  installPages_getApp,
  installPages_getFeedback,
  installPages_getGroup,
  installPages_getGroupRelease,
  installPages_getHome,
  installPages_getIcon,
  installPages_getLink,
  installPages_getManifest,
  installPages_getRelease,
  installPages_getSharedGroup,
  installPages_sendFeedback,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { showHome, showSharedGroup } from './home/home.ts';
import { getIcon, getManifest } from './home/web-app.ts';
import type { NoteInstall } from './install-notes.ts';
import { showAppPage, showGroupPage, showLinkedPage } from './install-pages.ts';
import { sendReleaseFeedback, showFeedbackPage } from './release-feedback.ts';
import { openUserDownload } from './user-downloads.ts';

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

interface FeedbackInput {
  params: { app_id: string; release_id: string };
  query: { token: string };
}

const toFormAddress = ({ params, query }: FeedbackInput) => ({
  appId: params.app_id,
  releaseId: Number(params.release_id),
  token: query.token,
});

export const installPageRoutes = (noteInstall: NoteInstall) => [
  route(installPages_getHome, (ctx) => showHome(ctx)),
  route(installPages_getSharedGroup, (ctx, { params }) =>
    showSharedGroup(ctx, { org: params.org_name, group: params.distribution_group_name }),
  ),
  route(installPages_getManifest, async () => getManifest()),
  route(installPages_getIcon, async (_ctx, { params }) => getIcon(params.size)),
  route(installPages_download, (ctx, { params }) => openUserDownload(ctx, params.link, noteInstall)),
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
  route(installPages_getFeedback, (ctx, input) => showFeedbackPage(ctx, toFormAddress(input))),
  route(installPages_sendFeedback, (ctx, input) => {
    const languages = input.headers['accept-language'] ?? '';
    return sendReleaseFeedback(ctx, toFormAddress(input), { form: input.body, files: input.files, languages });
  }),
  route(installPages_getLink, (ctx, { params }) => showLinkedPage(ctx, params.link)),
];
