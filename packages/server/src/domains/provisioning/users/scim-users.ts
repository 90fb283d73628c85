import { claim } from '../../../db/rows/claim.ts';
import { tx } from '../../../db/tx.ts';
import { conflict, notFound } from '../../../kernel/errors.ts';
import { jsonCodec, objectOutline } from '../../../kernel/text/json-codec.ts';
import { addUser, decoyHash, findPersonByEmail, updateAccount } from '../../accounts/index.ts';
import { record } from '../../audit/index.ts';
import type { DirectoryCtx } from '../directory.scope.ts';
import { ownsAddress } from '../org-domains.ts';
import { readResource } from '../protocol/attributes.ts';
import { applyChanges, type PatchOperation, readChanges } from '../protocol/patch.ts';
import { userAttributes } from '../protocol/schemas.ts';
import { scimFailure } from '../protocol/scim-failure.ts';
import { grantAccess, isManaged, lockAccount, type Marks, withdrawAccess } from './access.ts';
import { getDisplayName, getEmail, type UserAttributes } from './profile.ts';
import { findUser, findUserByName, forgetUser, lockUser, saveUser } from './scim-users.store.ts';

/** A user of the directory. `attributes` is the resource as the directory sent it, without those of the server. */
export interface ScimUser {
  id: string;
  attributes: UserAttributes;
  createdAt: number;
  updatedAt: number;
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser.first>>>;

const codec = jsonCodec('scim_users.attributes', objectOutline<Partial<UserAttributes>>());

export const toScimUser = (row: UserRow): ScimUser => ({
  id: row.user_id,
  attributes: {
    ...(row.external_id === null ? {} : { externalId: row.external_id }),
    userName: row.user_name,
    ...codec.parse(row.attributes),
    active: row.is_disabled === 0 && row.role !== null,
  },
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

const toMarks = (row: UserRow): Marks => ({ hasDisabled: row.has_disabled === 1, removedRole: row.removed_role });

async function getRow(ctx: DirectoryCtx, id: string): Promise<UserRow> {
  const row = await findUser.first(ctx.db, { orgId: ctx.org.id, id });
  if (!row) throw notFound('user', id);
  return row;
}

export const getUser = async (ctx: DirectoryCtx, id: string): Promise<ScimUser> => toScimUser(await getRow(ctx, id));

/** Reads a whole user. A directory that doesn't send `active` means that the user has access. */
function readUser(body: object): UserAttributes {
  const resource = readResource(userAttributes, body);
  const { userName, active = true } = resource;
  if (typeof userName !== 'string' || userName.trim() === '') {
    throw scimFailure(
      'invalidValue',
      'The attribute userName is missing or empty. Send the name of the user in your directory.',
    );
  }
  return { ...resource, userName, active: active === true };
}

const subject = ({ org }: DirectoryCtx, { id, name }: { id: string; name: string }) =>
  ({ kind: 'user', id, name, orgId: org.id }) as const;

const taken = (userName: string) =>
  conflict(`The directory already has a user named "${userName}". Change that one instead.`);
const userNameKey = { table: 'scim_users', columns: ['org_id', 'user_name_key'] };

async function save(ctx: DirectoryCtx, id: string, attributes: UserAttributes): Promise<void> {
  const { userName, externalId, active: _, ...others } = attributes;
  const row = {
    org_id: ctx.org.id,
    user_id: id,
    user_name: userName,
    user_name_key: userName.toLowerCase(),
    external_id: externalId ?? null,
    attributes: codec.serialize(others),
    has_disabled: 0,
    removed_role: null,
    created_at: ctx.clock.now(),
    updated_at: ctx.clock.now(),
  } as const;
  await claim(userNameKey, taken(userName), saveUser.run(ctx.db, row));
}

/** Finds the account of an address, or creates it in a domain of the organization. */
async function findAccount(ctx: DirectoryCtx, attributes: UserAttributes): Promise<{ id: string; name: string }> {
  const email = getEmail(attributes);
  const person = await findPersonByEmail(ctx, email);
  if (person) {
    if (await findUser.first(ctx.db, { orgId: ctx.org.id, id: person.id })) {
      throw conflict(`Another user of the directory already has the address ${email}. Change that one instead.`);
    }
    return person;
  }
  if (!(await ownsAddress(ctx, ctx.org.id, email))) {
    throw scimFailure(
      'invalidValue',
      `${email} is not in a domain of ${ctx.org.name}, so its directory can't create the account. Ask an administrator of the server to add the domain, or invite the person first.`,
    );
  }
  // The account has no password: its owner signs in with the identity provider, or sets one by email.
  return addUser(ctx, {
    email,
    displayName: getDisplayName(attributes) ?? attributes.userName.slice(0, 128),
    passwordHash: decoyHash,
    isEmailVerified: true,
  });
}

export async function createUser(ctx: DirectoryCtx, body: object): Promise<ScimUser> {
  const attributes = readUser(body);
  return tx(ctx, async (ctx) => {
    const { userName } = attributes;
    if (await findUserByName.first(ctx.db, { orgId: ctx.org.id, key: userName.toLowerCase() })) throw taken(userName);
    const account = await findAccount(ctx, attributes);
    await save(ctx, account.id, attributes);
    const row = await getRow(ctx, account.id);
    await (attributes.active
      ? grantAccess(ctx, account.id, toMarks(row), true)
      : withdrawAccess(ctx, account.id, toMarks(row)));
    await record(ctx, 'scim_user.create', subject(ctx, account), { after: auditValues(attributes) });
    return getUser(ctx, account.id);
  });
}

const auditValues = ({ userName, active, externalId }: UserAttributes) => ({
  user_name: userName,
  external_id: externalId,
  active,
});

/**
 * Runs one change of a user after another. If the directory says that a user is inactive, access ends even where it looks
 * inactive already: an account that was removed from the organization by hand can still be enabled.
 */
const change = (
  ctx: DirectoryCtx,
  id: string,
  saysActive: boolean,
  next: (current: UserAttributes) => UserAttributes,
): Promise<ScimUser> =>
  tx(ctx, async (ctx) => {
    await lockUser.first(ctx.db, { orgId: ctx.org.id, id });
    const row = await getRow(ctx, id);
    const before = toScimUser(row).attributes;
    const after = next(before);
    await changeAccount(ctx, id, before, after);
    await save(ctx, id, after);
    if (after.active && !before.active) await grantAccess(ctx, id, toMarks(row), false);
    if (!after.active && (before.active || saysActive)) await withdrawAccess(ctx, id, toMarks(row));
    const changes = { before: auditValues(before), after: auditValues(after) };
    await record(ctx, 'scim_user.update', subject(ctx, { id, name: row.name }), changes);
    return getUser(ctx, id);
  });

/** Changes the account where the directory changed its user, unless the account isn't managed by the directory. */
async function changeAccount(
  ctx: DirectoryCtx,
  id: string,
  before: UserAttributes,
  after: UserAttributes,
): Promise<void> {
  const [displayName, email] = [getDisplayName(after), getEmail(after)];
  const isRenamed = displayName !== undefined && displayName !== getDisplayName(before);
  const isMoved = email.toLowerCase() !== getEmail(before).toLowerCase();
  if (!(isRenamed || isMoved)) return;
  const account = await lockAccount(ctx, id);
  if (!(await isManaged(ctx, account))) return;
  if (isMoved && !(await ownsAddress(ctx, ctx.org.id, email))) {
    throw scimFailure(
      'invalidValue',
      `${email} is not in a domain of ${ctx.org.name}. Ask an administrator of the server to add the domain.`,
    );
  }
  await updateAccount(ctx, id, { ...(isRenamed ? { displayName } : {}), ...(isMoved ? { email } : {}) });
}

export async function replaceUser(ctx: DirectoryCtx, id: string, body: object): Promise<ScimUser> {
  const attributes = readUser(body);
  return change(ctx, id, true, () => attributes);
}

export async function patchUser(
  ctx: DirectoryCtx,
  id: string,
  operations: readonly PatchOperation[],
): Promise<ScimUser> {
  const changes = readChanges(operations, userAttributes);
  const saysActive = changes.some(({ target }) => target.path[0] === 'active');
  return change(ctx, id, saysActive, (current) => readUser(applyChanges(current, changes, userAttributes)));
}

/** Access ends, and the directory forgets the user. The account stays, with all that it owns. */
export const deleteUser = (ctx: DirectoryCtx, id: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    await lockUser.first(ctx.db, { orgId: ctx.org.id, id });
    const row = await getRow(ctx, id);
    const { attributes } = toScimUser(row);
    await withdrawAccess(ctx, id, toMarks(row));
    await forgetUser.run(ctx.db, { orgId: ctx.org.id, id, at: ctx.clock.now() });
    await record(ctx, 'scim_user.delete', subject(ctx, { id, name: row.name }), { before: auditValues(attributes) });
  });
