import type { Ctx, Deps, User, UserActor } from '../../context.ts';
import { tx } from '../../db/tx.ts';
import { notFound } from '../../kernel/errors.ts';
import { findPerson, toUser } from '../accounts/index.ts';
import { record } from '../audit/index.ts';
import { deleteOperator, findOperator, insertOperator, listOperatorRows } from './subscriptions.store.ts';

/** A user who may publish health events, appointed by an administrator. */
export interface Operator {
  user: User;
  since: number;
}

/** Checks the appointment; administrators do not need one. */
export const isOperator = async ({ db }: Pick<Deps, 'db'>, { user }: UserActor): Promise<boolean> =>
  (await findOperator.first(db, { userId: user.id })) !== undefined;

export const listOperators = async (ctx: Ctx): Promise<Operator[]> =>
  (await listOperatorRows.all(ctx.db)).map((row) => ({ user: toUser(row), since: row.created_at }));

async function getPerson(ctx: Ctx, name: string): Promise<User> {
  const user = await findPerson(ctx, name);
  if (!user) throw notFound('user', name);
  return user;
}

export const addOperator = (ctx: Ctx, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, name } = await getPerson(ctx, userName);
    await insertOperator.run(ctx.db, { user_id: id, created_at: ctx.clock.now() });
    await record(ctx, 'health_operator.add', { kind: 'user', id, name });
  });

export const removeOperator = (ctx: Ctx, userName: string): Promise<void> =>
  tx(ctx, async (ctx) => {
    const { id, name } = await getPerson(ctx, userName);
    if ((await deleteOperator.run(ctx.db, { userId: id })) === 0) throw notFound('operator', name);
    await record(ctx, 'health_operator.remove', { kind: 'user', id, name });
  });
