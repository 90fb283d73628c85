import { buffer } from 'node:stream/consumers';
import { atLeast } from '@mooring/contract';
import type { AppCtx, Ctx } from '../../../context.ts';
import { tx } from '../../../db/tx.ts';
import { open, seal } from '../../../kernel/crypto/sealed.ts';
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts';
import { hasMoreValues } from '../../../kernel/text/json.ts';
import { jsonCodec, objectOutline, StringRecord } from '../../../kernel/text/json-codec.ts';
import {
  beginUpload,
  defineUploadPurpose,
  deleteTakenFile,
  takeUpload,
  uploadAddresses,
} from '../../../uploads/index.ts';
import { appSubject } from '../../apps/index.ts';
import { record } from '../../audit/index.ts';
import { isBranchName } from '../repositories/repository-urls.ts';
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
import { joinSecrets, type SplitSettings, showSettings, splitSecrets, withoutSecrets } from './setting-secrets.ts';

const settingsCodec = jsonCodec('build_branches.settings', objectOutline<Fields>());
const secretsCodec = jsonCodec('build_branches.secrets', StringRecord);

type Fields = Record<string, unknown>;

export interface BranchConfiguration {
  id: number;
  branch: string;
  /** Settings as the caller may see them. */
  settings: Fields;
  /** The pattern whose configuration applies, if the branch has none. */
  pattern?: string;
}

const PURPOSE = 'branch-configuration';
const MAX_BRANCHES = 500;
const signingFiles = defineUploadPurpose('signing_files', { maxBytes: 1_048_576 });

function split({ secretKey }: Pick<Ctx, 'secretKey'>, row: BranchRow): SplitSettings {
  const secrets = open(secretKey, PURPOSE, row.secrets);
  if (secrets === undefined) {
    throw badRequest(
      `Can't decrypt the secrets of ${row.branch}: they were encrypted with another MOORING_SECRET_KEY. Configure the branch again.`,
    );
  }
  return { settings: settingsCodec.parse(row.settings), secrets: secretsCodec.parse(secrets) };
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

/** The configuration of the branch, or of the closest pattern. */
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

/** The configuration for a runner, including secrets. `name` is the branch or the pattern that applies. */
export async function findConfiguration(ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string, branch: string) {
  const row = await findRow(ctx.db, appId, branch);
  return row && { name: row.branch, settings: joinSecrets(split(ctx, row)) };
}

export const findSettings = async (ctx: Pick<Ctx, 'db' | 'secretKey'>, appId: string, branch: string) =>
  (await findConfiguration(ctx, appId, branch))?.settings;

/** Configured branches, and patterns. */
export async function listConfigured({ db, app }: AppCtx): Promise<{ branches: string[]; patterns: string[] }> {
  const names = (await listBranchRows.all(db, { appId: app.id })).map(({ branch }) => branch);
  return { branches: names.filter((name) => !isPattern(name)), patterns: names.filter(isPattern) };
}

/** Unknown fields are stored as sent, so their number is limited: each build reads all of them. */
const MAX_VALUES = 5000;

/** Removes fields that clients echo and fields that apply to a single request. */
function readSettings({
  id: _id,
  branch: _branch,
  pattern: _pattern,
  cloneFromBranch: _clone,
  ...settings
}: Fields): Fields {
  if (hasMoreValues(settings, MAX_VALUES)) {
    throw badRequest(`The configuration has more than ${MAX_VALUES} values. Remove those that its builds do not need.`);
  }
  checkVariables((settings.environmentVariables ?? []) as Variable[]);
  return settings;
}

/** Maps fields with an upload ID to the fields for the file's content and its ID. */
const uploadFields: Record<string, { content: string; id: string }> = {
  certificateUploadId: { content: 'certificateEncoded', id: 'certificateFileId' },
  provisioningProfileUploadId: { content: 'provisioningProfileEncoded', id: 'provisioningProfileFileId' },
  uploadId: { content: 'encoded', id: 'fileId' },
};

/** Turns uploaded signing files into secrets of the configuration, and deletes the uploads. */
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
    if (!blob) throw badRequest('The signing file no longer exists. Upload it again.');
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

async function readNewSettings(ctx: AppCtx, input: Fields): Promise<SplitSettings> {
  const from = input.cloneFromBranch;
  if (typeof from === 'string') return split(ctx, await getRow(ctx, from));
  return splitSecrets((await takeSigningFiles(ctx, readSettings(input))) as Fields);
}

/** Call in a transaction. */
async function addConfiguration(ctx: AppCtx, name: string, settings: SplitSettings): Promise<BranchConfiguration> {
  const branch = checkConfigured(name);
  const appId = ctx.app.id;
  // Taking the number locks the row until the configuration is inserted, so concurrent calls count all of them.
  const number = await takeNumber.first(ctx.db, { app_id: appId, name: 'branch', last_id: 1 });
  const known = await listBranchRows.all(ctx.db, { appId });
  if (known.some((row) => row.branch === branch)) {
    throw conflict(`The branch ${branch} already has a build configuration. Use PUT to change it.`);
  }
  if (known.length >= MAX_BRANCHES)
    throw conflict(`An app can have at most ${MAX_BRANCHES} configured branches. Delete one configuration first.`);
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

export const createConfiguration = (ctx: AppCtx, name: string, input: Fields): Promise<BranchConfiguration> =>
  tx(ctx, async (ctx) => addConfiguration(ctx, name, await readNewSettings(ctx, input)));

export const updateConfiguration = (ctx: AppCtx, branch: string, input: Fields): Promise<BranchConfiguration> =>
  tx(ctx, async (ctx) => {
    const own = await lockBranch.first(ctx.db, { appId: ctx.app.id, branch });
    const row = own ?? (await getRow(ctx, branch));
    const before = split(ctx, row);
    const settings = splitSecrets((await takeSigningFiles(ctx, readSettings(input))) as Fields, before);
    if (!own) return addConfiguration(ctx, branch, settings);
    const saved = sealed(ctx, settings);
    await saveBranch.run(ctx.db, { appId: ctx.app.id, branch, ...saved, now: ctx.clock.now() });
    await record(ctx, 'branch_configuration.update', appSubject(ctx.app), {
      before: toAudit(branch, before.settings),
      after: toAudit(branch, settings.settings),
    });
    return toConfiguration(ctx, { ...row, ...saved });
  });

/** A new owner must not get the secrets of the previous one. */
export async function clearBranchSecrets(ctx: Ctx, appId: string): Promise<void> {
  for (const row of await listBranchRows.all(ctx.db, { appId })) {
    const secrets = open(ctx.secretKey, PURPOSE, row.secrets) ?? '{}';
    const split = { settings: settingsCodec.parse(row.settings), secrets: secretsCodec.parse(secrets) };
    const { branch } = row;
    await saveBranch.run(ctx.db, { appId, branch, ...sealed(ctx, withoutSecrets(split)), now: ctx.clock.now() });
  }
}

/** Call in a transaction. The caller deletes the builds. */
export async function dropConfiguration(ctx: AppCtx, branch: string): Promise<void> {
  const row = await findBranch.first(ctx.db, { appId: ctx.app.id, branch });
  if (!row) throw notFound('configuration of a branch', branch);
  await deleteBranch.run(ctx.db, { appId: ctx.app.id, branch });
  const settings = settingsCodec.parse(row.settings);
  await record(ctx, 'branch_configuration.delete', appSubject(ctx.app), { before: toAudit(branch, settings) });
}

/** For certificates and provisioning profiles. */
export const beginSigningFile = (ctx: AppCtx) =>
  tx(ctx, async (ctx) => {
    const upload = await beginUpload(ctx, signingFiles, { ownerId: ctx.app.id });
    await record(ctx, 'signing_file.upload', appSubject(ctx.app), { after: { id: upload.id } });
    return { id: upload.id, ...uploadAddresses(ctx, upload) };
  });
