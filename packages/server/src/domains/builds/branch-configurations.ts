import { buffer } from 'node:stream/consumers';
import { atLeast } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { badRequest, conflict, notFound } from '../../kernel/errors.ts';
import { hasMoreValues } from '../../kernel/json.ts';
import { open, seal } from '../../kernel/sealed.ts';
import { beginUpload, defineUploadPurpose, deleteTakenFile, takeUpload, uploadAddresses } from '../../uploads/index.ts';
import { appSubject } from '../apps/index.ts';
import { record } from '../audit/index.ts';
import {
  type BranchRow,
  deleteBranch,
  findBranch,
  insertBranch,
  listBranchRows,
  listPatterns,
  lockBranch,
  saveBranch,
  takeNumber,
} from './branch-configurations.store.ts';
import { checkConfigured, closestPattern, isPattern } from './branch-patterns.ts';
import { checkVariables, type Variable } from './environment-variables.ts';
import { isBranchName } from './repository-urls.ts';
import {
  joinSecrets,
  type Secrets,
  type SplitSettings,
  showSettings,
  splitSecrets,
  withoutSecrets,
} from './setting-secrets.ts';

type Fields = Record<string, unknown>;

export interface BranchConfiguration {
  id: number;
  branch: string;
  /** As whoever asks may see it. */
  settings: Fields;
  /** Whose configuration it is, if the branch has none of its own. */
  pattern?: string;
}

const PURPOSE = 'branch-configuration';
const MOST = 500;
const signingFiles = defineUploadPurpose('signing_files', { maxBytes: 1_048_576 });

function split({ secretKey }: Pick<Ctx, 'secretKey'>, row: BranchRow): SplitSettings {
  const secrets = open(secretKey, PURPOSE, row.secrets);
  if (secrets === undefined) {
    throw badRequest(`Secrets of ${row.branch} were sealed with another MOORING_SECRET_KEY; configure it again.`);
  }
  return { settings: JSON.parse(row.settings) as Fields, secrets: JSON.parse(secrets) as Secrets };
}

const sealed = ({ secretKey }: Pick<Ctx, 'secretKey'>, { settings, secrets }: SplitSettings) => ({
  settings: JSON.stringify(settings),
  secrets: seal(secretKey, PURPOSE, JSON.stringify(secrets)),
});

const toConfiguration = (ctx: AppCtx, row: BranchRow): BranchConfiguration => ({
  id: row.id,
  branch: row.branch,
  settings: showSettings(split(ctx, row), { showsVariables: atLeast(ctx.permission, 'developer') }),
});

/** Its own, or that of the closest pattern. */
async function findRow(db: Ctx['db'], appId: string, branch: string): Promise<BranchRow | undefined> {
  const own = await findBranch.first(db, { appId, branch });
  if (own || isPattern(branch) || !isBranchName(branch)) return own;
  return closestPattern(await listPatterns.all(db, { appId }), branch);
}

async function getRow(ctx: AppCtx, branch: string): Promise<BranchRow> {
  const row = await findRow(ctx.db, ctx.app.id, branch);
  if (!row) throw notFound('configuration of a branch', branch);
  return row;
}

export async function getConfiguration(ctx: AppCtx, branch: string): Promise<BranchConfiguration> {
  const row = await getRow(ctx, branch);
  const found = toConfiguration(ctx, row);
  return row.branch === branch ? found : { ...found, branch, pattern: row.branch };
}

/** With its secrets: for the runner. `name` is that of the branch, or of the pattern that it follows. */
export async function findConfiguration(ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string, branch: string) {
  const row = await findRow(ctx.db, appId, branch);
  return row && { name: row.branch, settings: joinSecrets(split(ctx, row)) };
}

export const findSettings = async (ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string, branch: string) =>
  (await findConfiguration(ctx, appId, branch))?.settings;

/** Branches with a configuration of their own, and patterns. */
export async function listConfigured({ db, app }: AppCtx): Promise<{ branches: string[]; patterns: string[] }> {
  const names = (await listBranchRows.all(db, { appId: app.id })).map(({ branch }) => branch);
  return { branches: names.filter((name) => !isPattern(name)), patterns: names.filter(isPattern) };
}

/** Fields that are not known here are kept as they come, so only their number is limited: every build reads all of them. */
const MAX_VALUES = 5000;

/** What clients send along, and what is only true of one call. */
function readSettings({
  id: _id,
  branch: _branch,
  pattern: _pattern,
  cloneFromBranch: _clone,
  ...settings
}: Fields): Fields {
  if (hasMoreValues(settings, MAX_VALUES)) {
    throw badRequest(`The configuration has more than ${MAX_VALUES} values; remove those that its builds do not need.`);
  }
  checkVariables((settings.environmentVariables ?? []) as Variable[]);
  return settings;
}

/** Fields that name an upload → where the content of the file goes, and where its id. */
const uploadFields: Record<string, { content: string; id: string }> = {
  certificateUploadId: { content: 'certificateEncoded', id: 'certificateFileId' },
  provisioningProfileUploadId: { content: 'provisioningProfileEncoded', id: 'provisioningProfileFileId' },
  uploadId: { content: 'encoded', id: 'fileId' },
};

/** Signing files that were uploaded become secrets of the configuration, and nothing of them stays elsewhere. */
async function takeSigningFiles(ctx: AppCtx, value: unknown): Promise<unknown> {
  if (Array.isArray(value)) {
    const taken: unknown[] = [];
    for (const item of value) taken.push(await takeSigningFiles(ctx, item));
    return taken;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields: Fields = {};
  for (const [name, item] of Object.entries(value)) {
    const to = uploadFields[name];
    if (!to || typeof item !== 'string' || item === '') {
      fields[name] = await takeSigningFiles(ctx, item);
      continue;
    }
    const { key } = await takeUpload(ctx, signingFiles, { id: item, ownerId: ctx.app.id });
    const blob = await ctx.blobs.get(key);
    if (!blob) throw badRequest('The signing file is no longer there; upload it again.');
    fields[to.content] = (await buffer(blob.stream)).toString('base64');
    fields[to.id] = item;
    await deleteTakenFile(ctx, key);
  }
  return fields;
}

const toAudit = (branch: string, settings: Fields) => ({
  branch,
  trigger: String(settings.trigger ?? 'manual'),
  toolsets: Object.keys((settings.toolsets as object | undefined) ?? {}).join(', '),
});

async function settingsOfNew(ctx: AppCtx, given: Fields): Promise<SplitSettings> {
  const from = given.cloneFromBranch;
  if (typeof from === 'string') return split(ctx, await getRow(ctx, from));
  return splitSecrets((await takeSigningFiles(ctx, readSettings(given))) as Fields);
}

/** In the caller's transaction. */
async function addConfiguration(ctx: AppCtx, name: string, settings: SplitSettings): Promise<BranchConfiguration> {
  const branch = checkConfigured(name);
  const appId = ctx.app.id;
  // Whoever has a number holds the row until its branch is there, so that none is missing among those that are counted.
  const number = await takeNumber.first(ctx.db, { app_id: appId, name: 'branch', last_id: 1 });
  const known = await listBranchRows.all(ctx.db, { appId });
  if (known.some((row) => row.branch === branch)) {
    throw conflict(`The branch ${branch} is configured already; change it with PUT.`);
  }
  if (known.length >= MOST) throw conflict(`An app has at most ${MOST} configured branches; delete one first.`);
  const row: BranchRow = {
    app_id: appId,
    branch,
    id: number?.last_id ?? 1,
    ...sealed(ctx, settings),
    changed_at: ctx.clock.now(),
  };
  await insertBranch.run(ctx.db, row);
  await record(ctx, 'branch_configuration.create', appSubject(ctx.app), {
    after: toAudit(branch, settings.settings),
  });
  return toConfiguration(ctx, row);
}

export const createConfiguration = (ctx: AppCtx, name: string, given: Fields): Promise<BranchConfiguration> =>
  tx(ctx, async (ctx) => addConfiguration(ctx, name, await settingsOfNew(ctx, given)));

export const updateConfiguration = (ctx: AppCtx, branch: string, given: Fields): Promise<BranchConfiguration> =>
  tx(ctx, async (ctx) => {
    const own = await lockBranch.first(ctx.db, { appId: ctx.app.id, branch });
    const row = own ?? (await getRow(ctx, branch));
    const before = split(ctx, row);
    const settings = splitSecrets((await takeSigningFiles(ctx, readSettings(given))) as Fields, before);
    if (!own) return addConfiguration(ctx, branch, settings);
    const saved = sealed(ctx, settings);
    await saveBranch.run(ctx.db, { appId: ctx.app.id, branch, ...saved, now: ctx.clock.now() });
    await record(ctx, 'branch_configuration.update', appSubject(ctx.app), {
      before: toAudit(branch, before.settings),
      after: toAudit(branch, settings.settings),
    });
    return toConfiguration(ctx, { ...row, ...saved });
  });

/** Secrets of the previous owner are not for the next one. */
export async function clearBranchSecrets(ctx: Ctx, appId: string): Promise<void> {
  for (const row of await listBranchRows.all(ctx.db, { appId })) {
    const secrets = open(ctx.secretKey, PURPOSE, row.secrets) ?? '{}';
    const split = { settings: JSON.parse(row.settings) as Fields, secrets: JSON.parse(secrets) as Secrets };
    const { branch } = row;
    await saveBranch.run(ctx.db, { appId, branch, ...sealed(ctx, withoutSecrets(split)), now: ctx.clock.now() });
  }
}

/** In the caller's transaction; its builds are theirs to delete. */
export async function dropConfiguration(ctx: AppCtx, branch: string): Promise<void> {
  const row = await findBranch.first(ctx.db, { appId: ctx.app.id, branch });
  if (!row) throw notFound('configuration of a branch', branch);
  await deleteBranch.run(ctx.db, { appId: ctx.app.id, branch });
  const settings = JSON.parse(row.settings) as Fields;
  await record(ctx, 'branch_configuration.delete', appSubject(ctx.app), { before: toAudit(branch, settings) });
}

/** For a certificate or a profile. */
export const beginSigningFile = (ctx: AppCtx) =>
  tx(ctx, async (ctx) => {
    const upload = await beginUpload(ctx, signingFiles, { ownerId: ctx.app.id });
    await record(ctx, 'signing_file.upload', appSubject(ctx.app), { after: { id: upload.id } });
    return { id: upload.id, ...uploadAddresses(ctx, upload) };
  });
