import type { Kysely } from 'kysely';
import { isAmong, lockRows } from '../../../db/portable.ts';
import { insertInto, statement, type Tables } from '../tokens.tables.ts';

export const insertRule = insertInto('ci_rules');

const selectRules = (q: Kysely<Tables>) =>
  q
    .selectFrom('ci_rules')
    .innerJoin('people', 'people.id', 'ci_rules.created_by')
    .selectAll('ci_rules')
    .select('people.name as creator_name')
    .orderBy('ci_rules.created_at')
    .orderBy('ci_rules.id');

export const listAppRules = statement((q, p: { appId: string }) =>
  selectRules(q).where('ci_rules.app_id', '=', p.appId),
);

export const findAppRule = statement((q, p: { id: string; appId: string }) =>
  selectRules(q).where('ci_rules.id', '=', p.id).where('ci_rules.app_id', '=', p.appId),
);

/** `userIds` is a JSON array. */
export const listRulesMadeBy = statement((q, p: { userIds: string }, dialect) =>
  selectRules(q).where(isAmong(dialect, 'ci_rules.created_by', p.userIds)),
);

export const countAppRules = statement((q, p: { appId: string }) =>
  q
    .selectFrom('ci_rules')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('app_id', '=', p.appId),
);

/** Returns a row for exactly one of several concurrent deletions. */
export const deleteRule = statement((q, p: { id: string }) =>
  q.deleteFrom('ci_rules').where('id', '=', p.id).returning('id'),
);

export const hasIssuer = statement((q, p: { issuer: string }) =>
  q.selectFrom('ci_rules').select('id').where('issuer', '=', p.issuer).limit(1),
);

/** The rules of an app for an issuer, by the keys of its names. */
export const listMatchable = statement((q, p: { ownerKey: string; appKey: string; issuer: string }) =>
  selectRules(q)
    .innerJoin('app_names', 'app_names.id', 'ci_rules.app_id')
    .innerJoin('owner_names', 'owner_names.id', 'app_names.owner_id')
    .where('owner_names.name_key', '=', p.ownerKey)
    .where('app_names.name_key', '=', p.appKey)
    .where('ci_rules.issuer', '=', p.issuer),
);

/** The rule stays until the transaction ends. */
export const lockRule = statement((q, p: { id: string }, dialect) =>
  lockRows(dialect, q.selectFrom('ci_rules').select('id').where('id', '=', p.id)),
);

export const noteRuleUse = statement((q, p: { id: string; now: number }) =>
  q.updateTable('ci_rules').set({ last_used_at: p.now }).where('id', '=', p.id),
);

export const insertCiToken = insertInto('ci_tokens');

export const countRuleTokens = statement((q, p: { ruleId: string; now: number }) =>
  q
    .selectFrom('ci_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('rule_id', '=', p.ruleId)
    .where('expires_at', '>', p.now),
);

/** Reads everything that an actor needs in one query. */
export const findCiToken = statement((q, p: { hash: string }) =>
  q
    .selectFrom('ci_tokens')
    .innerJoin('ci_rules', 'ci_rules.id', 'ci_tokens.rule_id')
    .innerJoin('people', 'people.id', 'ci_rules.created_by')
    .select([
      'ci_tokens.id',
      'ci_tokens.rule_id',
      'ci_tokens.expires_at',
      'ci_rules.app_id',
      'ci_rules.permissions',
      'people.id as creator_id',
      'people.name as creator_name',
    ])
    .where('ci_tokens.hash', '=', p.hash),
);

export const deleteEndedCiTokens = statement((q, p: { now: number }) =>
  q.deleteFrom('ci_tokens').where('expires_at', '<=', p.now),
);
