import { isDeepStrictEqual } from 'node:util';
import { type Attribute, findAttribute, type Resource, readValue } from './attributes.ts';
import { type PatchPath, parsePath, type ScimFilter } from './filter.ts';
import { isObject, matches } from './matches.ts';
import { scimFailure } from './scim-failure.ts';

export interface PatchOperation {
  /** In any case: Entra ID capitalizes it. */
  op: string;
  path?: string;
  value?: unknown;
}

export interface Change {
  op: 'add' | 'replace' | 'remove';
  target: PatchPath;
  value: unknown;
}

const none: ReadonlySet<string> = new Set();

function readOp({ op }: PatchOperation): Change['op'] {
  const name = op.toLowerCase();
  if (name === 'add' || name === 'replace' || name === 'remove') return name;
  throw scimFailure(
    'invalidSyntax',
    `An operation has the unknown op "${op.slice(0, 50)}". Use add, replace or remove.`,
  );
}

/**
 * Reads the operations of a patch. One without a path becomes one for each attribute of its value, whose names may be paths, as
 * Entra ID sends them.
 */
export function readChanges(operations: readonly PatchOperation[], attributes: readonly Attribute[]): Change[] {
  const changes: Change[] = [];
  for (const operation of operations) {
    const op = readOp(operation);
    const { path, value } = operation;
    if (path !== undefined && path !== '') {
      const target = parsePath(path);
      if (findAttribute(attributes, target.path[0] ?? '')?.isReadOnly) {
        throw scimFailure('mutability', `The attribute ${target.path.join('.')} is read-only. Omit the operation.`);
      }
      changes.push({ op, target, value });
    } else {
      if (op === 'remove') throw scimFailure('noTarget', 'An operation with op "remove" has no path. Add one.');
      if (!isObject(value)) throw scimFailure('invalidValue', 'An operation without a path needs an object as value.');
      for (const [name, each] of Object.entries(value)) changes.push({ op, target: parsePath(name), value: each });
    }
  }
  return changes;
}

/** The resource after these changes. Attributes that this server doesn't store are ignored. */
export function applyChanges(
  resource: Resource,
  changes: readonly Change[],
  attributes: readonly Attribute[],
): Resource {
  const changed = structuredClone(resource);
  for (const change of changes) {
    const { path } = change.target;
    const attribute = findAttribute(attributes, path[0] ?? '');
    if (!attribute || attribute.isReadOnly) continue;
    const part = path[1] === undefined ? undefined : findAttribute(attribute.parts, path[1]);
    if (path.length > 2 || (path[1] !== undefined && !part)) continue;
    applyChange(changed, change, attribute, part);
    if (isEmpty(changed[attribute.name])) delete changed[attribute.name];
  }
  return changed;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  (Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0);

function applyChange(resource: Resource, change: Change, attribute: Attribute, part: Attribute | undefined): void {
  if (change.target.filter) changeElements(resource, change, attribute);
  else if (part) changePart(resource, change, attribute, part);
  else if (attribute.isList) resource[attribute.name] = changeList(listAt(resource, attribute), change, attribute);
  else changeOne(resource, change, attribute);
}

const listAt = (resource: Resource, { name }: Attribute): Resource[] =>
  (resource[name] as Resource[] | undefined) ?? [];

function changeOne(resource: Resource, { op, value }: Change, attribute: Attribute): void {
  const { name, type } = attribute;
  const next = op === 'remove' ? undefined : readValue(attribute, value);
  if (next === undefined) delete resource[name];
  // Parts that the value doesn't name stay.
  else resource[name] = type === 'complex' ? { ...(resource[name] as object), ...(next as object) } : next;
}

function changeList(list: Resource[], { op, value }: Change, attribute: Attribute): Resource[] {
  if (op === 'remove' && value === undefined) return [];
  const values = (readValue(attribute, value) ?? []) as Resource[];
  if (op === 'replace') return values;
  if (op === 'remove') return list.filter((has) => !values.some((each) => each.value === has.value));
  const isNew = (each: Resource) => !list.some((has) => isDeepStrictEqual(has, each));
  return readValue(attribute, [...list, ...values.filter(isNew)]) as Resource[];
}

function setPart(target: Resource, { op, value }: Change, part: Attribute): void {
  const next = op === 'remove' ? undefined : readValue(part, value);
  if (next === undefined) delete target[part.name];
  else target[part.name] = next;
}

function changePart(resource: Resource, change: Change, attribute: Attribute, part: Attribute): void {
  const { name } = attribute;
  if (!attribute.isList) {
    const target = { ...(resource[name] as Resource | undefined) };
    setPart(target, change, part);
    resource[name] = target;
    return;
  }
  const list = listAt(resource, attribute);
  const targets: Resource[] = list.length > 0 || change.op === 'remove' ? list : [{}];
  for (const target of targets) setPart(target, change, part);
  resource[name] = targets;
}

/** The values that an element must have to match a filter that consists of equalities; undefined for other filters. */
function required(filter: ScimFilter, attribute: Attribute): Resource | undefined {
  if (filter.op === 'and') {
    const all = filter.filters.map((each) => required(each, attribute));
    return all.includes(undefined) ? undefined : Object.assign({}, ...all);
  }
  const part = filter.op === 'eq' && filter.path.length === 1 && findAttribute(attribute.parts, filter.path[0] ?? '');
  return part ? { [part.name]: readValue(part, filter.value) } : undefined;
}

function changeElements(resource: Resource, change: Change, attribute: Attribute): void {
  const { filter, of } = change.target as PatchPath & { filter: ScimFilter };
  const part = of && findAttribute(attribute.parts, of.join('.'));
  if (of && !part) return;
  const list = listAt(resource, attribute);
  if (!attribute.isList) throw scimFailure('invalidPath', `${attribute.name} has no elements. Omit the brackets.`);
  const targets = list.filter((element) => matches(element, filter, none));
  if (change.op === 'remove' && !part) {
    resource[attribute.name] = list.filter((element) => !targets.includes(element));
    return;
  }
  if (targets.length === 0 && change.op !== 'remove') {
    // Entra ID expects that the element is created.
    const element = part && required(filter, attribute);
    if (!element) throw scimFailure('noTarget', `No element of ${attribute.name} matches the path. Add it first.`);
    targets.push(element);
    resource[attribute.name] = [...list, element];
  }
  for (const target of targets) {
    if (part) setPart(target, change, part);
    else
      Object.assign(target, (readValue({ ...attribute, isList: true }, change.value) as Resource[] | undefined)?.[0]);
  }
  // Checks the number of elements.
  readValue(attribute, resource[attribute.name]);
}
