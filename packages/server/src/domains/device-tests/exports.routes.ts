import {
  test_gdprExportAccount,
  test_gdprExportAccounts,
  test_gdprExportApp,
  test_gdprExportApps,
  test_gdprExportFeatureFlag,
  test_gdprExportFileSetFile,
  test_gdprExportHashFile,
  test_gdprExportPipelineTest,
  test_gdprExportTestRun,
} from '@mooring/contract';
import type { AppCtx } from '../../context.ts';
import { route } from '../../http/mount.ts';
import { getResponseUrl } from '../../kernel/response-url.ts';
import { downloadLink } from '../../uploads/index.ts';
import { findAppFile, findFileAfter, findRunAfter } from './exports.store.ts';
import { showParameters } from './runs/run-parameters.ts';

/** Sorts after every ID. */
const LAST_ID = 'g';

const getFileName = (path: string): string => path.split('/').at(-1) ?? 'file';

const linkTo = (ctx: AppCtx, { blob_key, path }: { blob_key: string; path: string }): string =>
  downloadLink(ctx, { key: blob_key, name: getFileName(path) });

const getExportUrl = (ctx: AppCtx, part: string): string =>
  `${getResponseUrl(ctx)}/v0.1/apps/${encodeURIComponent(ctx.app.ownerName)}/${encodeURIComponent(ctx.app.name)}/test/export/${part}`;

const parts = ['apps', 'fileSetFiles', 'hashFiles', 'pipelineTests', 'testRuns'];

const nextFile = (ctx: AppCtx, after = '') => findFileAfter.first(ctx.db, { appId: ctx.app.id, after });
const nextRun = (ctx: AppCtx, before = LAST_ID) => findRunAfter.first(ctx.db, { appId: ctx.app.id, before });

export const testExportRoutes = [
  route(test_gdprExportAccounts, async (ctx) => ({
    resources: ['accounts', 'featureFlags'].map((rel) => ({
      rel,
      path: `${getResponseUrl(ctx)}/v0.1/account/test/export/${rel}`,
    })),
  })),
  route(test_gdprExportAccount, async (ctx) => ({ id: ctx.actor.user.id })),
  route(test_gdprExportFeatureFlag, async () => ({})),
  route(test_gdprExportApps, async (ctx) => ({
    resources: parts.map((rel) => ({ rel, path: getExportUrl(ctx, rel) })),
  })),
  route(test_gdprExportApp, async (ctx) => ({ hash_files_url: getExportUrl(ctx, 'hashFiles') })),
  route(test_gdprExportFileSetFile, async (ctx, { query }) => {
    const file = await nextFile(ctx, query.after);
    if (!file) return {};
    return { path: file.path, hash_file_id: file.id, app_upload_id: file.run_id, hash_file_url: linkTo(ctx, file) };
  }),
  route(test_gdprExportHashFile, async (ctx, { query }) => {
    const file = await nextFile(ctx, query.after);
    return file ? { id: file.id, filename: getFileName(file.path) } : {};
  }),
  route(test_gdprExportPipelineTest, async (ctx, { query }) => {
    const run = await nextRun(ctx, query.after);
    return run ? { app_upload_id: run.id, test_parameters: showParameters(ctx, run) } : {};
  }),
  route(test_gdprExportTestRun, async (ctx, { query }) => {
    const run = await nextRun(ctx, query.after);
    if (!run) return {};
    const file = await findAppFile.first(ctx.db, { runId: run.id });
    return {
      id: run.id,
      ...(file ? { app_hash_file_id: file.id, app_hash_file_url: linkTo(ctx, file) } : {}),
      locale: run.locale ?? 'en_US',
    };
  }),
];
