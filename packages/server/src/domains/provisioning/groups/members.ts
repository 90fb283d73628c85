import type { Resource } from '../protocol/attributes.ts';
import { findKey, isObject, matches } from '../protocol/matches.ts';
import type { Change } from '../protocol/patch.ts';
import { scimFailure } from '../protocol/scim-failure.ts';

/** Most members that one request names. */
export const MAX_MEMBERS = 10_000;
const MAX_ID = 100;

const none: ReadonlySet<string> = new Set();

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
  /** Elements that a condition other than an ID selects. */
  removedWhere: ((id: string) => boolean)[];
}

export const isAboutMembers = ({ target }: Change): boolean => target.path[0] === 'members';

export function readMemberChange(changes: readonly Change[]): MemberChange {
  const change: MemberChange = { isReplaced: false, added: new Set(), removed: new Set(), removedWhere: [] };
  for (const { op, target, value } of changes) {
    if (target.path.length > 1 || target.of) {
      throw scimFailure('invalidPath', 'The parts of members are read-only. Add and remove whole members.');
    }
    if (target.filter) {
      const { filter } = target;
      if (op !== 'remove') throw scimFailure('invalidPath', 'A path with brackets can only remove members.');
      if (filter.op === 'eq' && filter.path.join('.') === 'value') remove(change, [String(filter.value)]);
      else {
        const isRemoved = (id: string) => matches({ value: id }, filter, none);
        change.removedWhere.push(isRemoved);
        for (const id of change.added) if (isRemoved(id)) change.added.delete(id);
      }
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
  { isReplaced, added, removed, removedWhere }: MemberChange,
  current: readonly string[],
): { added: string[]; removed: string[] } {
  const isRemoved = (id: string) => isReplaced || removed.has(id) || removedWhere.some((where) => where(id));
  const has = new Set(current);
  return {
    added: [...added].filter((id) => !has.has(id)),
    removed: current.filter((id) => !added.has(id) && isRemoved(id)),
  };
}
