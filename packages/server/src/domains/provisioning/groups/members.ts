import type { Resource } from '../protocol/attributes.ts';
import type { ScimFilter } from '../protocol/filter.ts';
import { findKey, isObject } from '../protocol/matches.ts';
import type { Change } from '../protocol/patch.ts';
import { scimFailure } from '../protocol/scim-failure.ts';

/** Most members that one request names. */
export const MAX_MEMBERS = 10_000;
const MAX_ID = 100;

/** The IDs in `members`: a list of objects, one object, or an ID alone. */
export function readMemberIds(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? value : [value];
  if (list.length > MAX_MEMBERS) {
    throw scimFailure('tooMany', `members has more than ${MAX_MEMBERS} elements. Send them in several requests.`);
  }
  return list.map((each) => {
    const part = (name: string) => (isObject(each) ? (each as Resource)[findKey(each, name) ?? ''] : undefined);
    const id = isObject(each) ? part('value') : each;
    if (String(part('type') ?? 'User').toLowerCase() === 'group') {
      throw scimFailure('invalidValue', 'A group contains another group. Assign the users of that group instead.');
    }
    if (typeof id !== 'string' || id === '' || id.length > MAX_ID) {
      throw scimFailure('invalidValue', 'An element of members has no ID. Send the ID of a user as value.');
    }
    return id;
  });
}

/** Changes of the members of a group, in order: linear in the number of IDs. */
export interface MemberChange {
  /** True if only the added members remain. */
  isReplaced: boolean;
  added: Set<string>;
  removed: Set<string>;
}

/** The IDs that a filter names. Other conditions would have to be evaluated for every member. */
function idsIn(filter: ScimFilter): string[] {
  if (filter.op === 'or') return filter.filters.flatMap(idsIn);
  if (filter.op === 'eq' && filter.path.join('.') === 'value') return [String(filter.value)];
  throw scimFailure('invalidFilter', 'Members can be selected only by ID, such as members[value eq "…"].');
}

export const isAboutMembers = ({ target }: Change): boolean => target.path[0] === 'members';

export function readMemberChange(changes: readonly Change[]): MemberChange {
  const change: MemberChange = { isReplaced: false, added: new Set(), removed: new Set() };
  for (const { op, target, value } of changes) {
    if (target.path.length > 1 || target.of) {
      throw scimFailure('invalidPath', 'The parts of members are read-only. Add and remove whole members.');
    }
    if (target.filter) {
      if (op !== 'remove') throw scimFailure('invalidPath', 'A path with brackets can only remove members.');
      remove(change, idsIn(target.filter));
      continue;
    }
    if (op === 'replace' || (op === 'remove' && value === undefined)) {
      change.isReplaced = true;
      change.added.clear();
      change.removed.clear();
    }
    const ids = readMemberIds(value);
    if (op === 'remove') remove(change, ids);
    else for (const id of ids) change.added.add(id);
  }
  if (change.added.size + change.removed.size > MAX_MEMBERS) {
    throw scimFailure('tooMany', `The request names more than ${MAX_MEMBERS} members. Send several requests.`);
  }
  return change;
}

function remove({ added, removed }: MemberChange, ids: readonly string[]): void {
  for (const id of ids) {
    added.delete(id);
    removed.add(id);
  }
}

/** The members to add and to remove, of a group with these members. */
export function resolveMemberChange(
  { isReplaced, added, removed }: MemberChange,
  current: readonly string[],
): { added: string[]; removed: string[] } {
  const has = new Set(current);
  return {
    added: [...added].filter((id) => !has.has(id)),
    removed: current.filter((id) => !added.has(id) && (isReplaced || removed.has(id))),
  };
}
