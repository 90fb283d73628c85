import { MOORING_YML, MooringYml } from '@mooring/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Work } from './stages/index.ts';

export type Yml = Static<typeof MooringYml>;

/** Lists all errors of the file with line numbers. */
export class InvalidYml extends Error {
  override name = 'InvalidYml';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems[0] ?? 'The file is invalid.');
    this.problems = problems;
  }
}

export const MAX_YML_LENGTH = 65_536;
const MAX_DEPTH = 8;
const MAX_PROBLEMS = 20;

type Path = readonly (string | number)[];
const toPointer = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Converts nodes to plain values, and records the position of each. The conversion of the library is not safe: maps as keys
 * can produce unlimited text.
 */
function toPlainValue(root: unknown, reject: (at: number, path: Path, problem: string) => void) {
  const places = new Map<string, number>();
  const visit = (node: unknown, path: Path, at: number): unknown => {
    const begin = (node as Node | null)?.range?.[0] ?? at;
    if (!places.has(toPointer(path))) places.set(toPointer(path), begin);
    if (path.length > MAX_DEPTH) return reject(begin, path, 'is nested too deeply');
    if (node === null || node === undefined) return null;
    if (isScalar(node))
      return node.tag && !node.tag.startsWith('tag:yaml.org')
        ? reject(begin, path, 'has a YAML tag; tags are not supported')
        : node.value;
    if (isSeq(node)) return node.items.map((item, index) => visit(item, [...path, index], begin));
    if (!isMap(node)) return reject(begin, path, 'is a YAML alias; repeat the value instead');
    const fields = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const from = (key as Node | null)?.range?.[0] ?? begin;
      if (!isScalar(key) || typeof key.value !== 'string') reject(from, path, 'has a key that is not text');
      else if (fields.has(key.value)) reject(from, [...path, key.value], 'is duplicated');
      else {
        // The position of a field is that of its name.
        places.set(toPointer([...path, key.value]), from);
        fields.set(key.value, visit(value, [...path, key.value], from));
      }
    }
    return Object.fromEntries(fields);
  };
  return { value: visit(root, [], 0), places };
}

/** Converts numbers and booleans among the variables to text. */
function stringifyVariables(value: unknown): unknown {
  const variables = (value as { variables?: unknown } | null)?.variables;
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return value;
  const texts = Object.entries(variables).map(([name, one]) => [
    name,
    typeof one === 'number' || typeof one === 'boolean' ? String(one) : one,
  ]);
  return { ...(value as object), variables: Object.fromEntries(texts) };
}

const toFieldName = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
    .slice(0, 200);

/** Parses `mooring.yml`. Reports all errors together, with line and field. */
export function readYml(text: string): Yml {
  if (text.length > MAX_YML_LENGTH) throw new InvalidYml([`${MOORING_YML} exceeds ${MAX_YML_LENGTH / 1024} KiB.`]);
  const counter = new LineCounter();
  const problems: string[] = [];
  const add = (offset: number, problem: string) => {
    const { line, col } = counter.linePos(offset);
    if (problems.length < MAX_PROBLEMS) problems.push(`${MOORING_YML}:${line}:${col}: ${problem}`);
  };
  const document = parseDocument(text, {
    lineCounter: counter,
    uniqueKeys: false,
    schema: 'core',
    prettyErrors: false,
  });
  for (const { message, pos } of document.errors) add(pos[0], message);
  if (problems.length > 0) throw new InvalidYml(problems);
  const { value, places } = toPlainValue(document.contents, (at, path, problem) => {
    add(at, `${path.length === 0 ? 'The file' : toFieldName(toPointer(path))} ${problem}.`);
    return undefined;
  });
  if (problems.length > 0) throw new InvalidYml(problems);
  const checked = stringifyVariables(value ?? {});
  for (const { instancePath, keyword, message, params } of Value.Errors(MooringYml, checked)) {
    // The unknown field itself is reported separately.
    if (keyword === 'additionalProperties') continue;
    const problem =
      keyword === 'boolean'
        ? 'is an unknown field'
        : keyword === 'enum'
          ? `${message}: ${JSON.stringify(params)}`
          : message;
    add(places.get(instancePath) ?? 0, `${instancePath === '' ? 'The file' : toFieldName(instancePath)} ${problem}.`);
  }
  if (problems.length > 0) throw new InvalidYml([...new Set(problems)]);
  return checked as Yml;
}

/** Merges the file into the configuration of the branch. Variables of the build override those of the file. */
export function applyYml(work: Work, yml: Yml): Work {
  const buildVariables = new Set(work.variablesOfBuild);
  const variables = Object.entries(yml.variables ?? {}).filter(([name]) => !buildVariables.has(name));
  const names = new Set(variables.map(([name]) => name));
  const toolsets: Record<string, unknown> = work.toolsets;
  return {
    ...work,
    ...(yml.toolsets
      ? {
          toolsets: Object.fromEntries(
            Object.entries(yml.toolsets).map(([name, fields]) => [name, { ...(toolsets[name] ?? {}), ...fields }]),
          ),
        }
      : {}),
    isSigned: yml.signed ?? work.isSigned,
    variables: [
      ...work.variables.filter(({ name }) => !names.has(name)),
      ...variables.map(([name, value]) => ({ name, value })),
    ],
    minutes: Math.min(yml.minutes ?? work.minutes, work.minutes),
  };
}
