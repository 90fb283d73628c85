import { MOORING_YML, MooringYml } from '@mooring/contract';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { Work } from './stages/index.ts';

export type Yml = Static<typeof MooringYml>;

/** What is wrong with the file, by line. */
export class InvalidYml extends Error {
  override name = 'InvalidYml';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems[0] ?? 'It cannot be read.');
    this.problems = problems;
  }
}

export const LARGEST_YML = 65_536;
const DEEPEST = 8;
const MOST_PROBLEMS = 20;

type Path = readonly (string | number)[];
const pointerOf = (path: Path): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Plain values of the nodes, and where each begins. Own work: the library turns maps that are keys into texts without an end. */
function plainOf(root: unknown, refuse: (at: number, path: Path, what: string) => void) {
  const places = new Map<string, number>();
  const visit = (node: unknown, path: Path, at: number): unknown => {
    const begin = (node as Node | null)?.range?.[0] ?? at;
    if (!places.has(pointerOf(path))) places.set(pointerOf(path), begin);
    if (path.length > DEEPEST) return refuse(begin, path, 'is nested too deeply');
    if (node === null || node === undefined) return null;
    if (isScalar(node))
      return node.tag && !node.tag.startsWith('tag:yaml.org') ? refuse(begin, path, 'has a tag') : node.value;
    if (isSeq(node)) return node.items.map((item, index) => visit(item, [...path, index], begin));
    if (!isMap(node)) return refuse(begin, path, 'refers to something else; write it out');
    const fields = new Map<string, unknown>();
    for (const { key, value } of node.items) {
      const from = (key as Node | null)?.range?.[0] ?? begin;
      if (!isScalar(key) || typeof key.value !== 'string') refuse(from, path, 'has a name that is no text');
      else if (fields.has(key.value)) refuse(from, [...path, key.value], 'is there twice');
      else {
        // Of a field, where its name stands.
        places.set(pointerOf([...path, key.value]), from);
        fields.set(key.value, visit(value, [...path, key.value], from));
      }
    }
    return Object.fromEntries(fields);
  };
  return { value: visit(root, [], 0), places };
}

/** Text, numbers and truth values of variables are all texts, as whoever writes YAML expects. */
function withTexts(value: unknown): unknown {
  const variables = (value as { variables?: unknown } | null)?.variables;
  if (typeof variables !== 'object' || variables === null || Array.isArray(variables)) return value;
  const texts = Object.entries(variables).map(([name, one]) => [
    name,
    typeof one === 'number' || typeof one === 'boolean' ? String(one) : one,
  ]);
  return { ...(value as object), variables: Object.fromEntries(texts) };
}

const fieldOf = (pointer: string): string =>
  pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.')
    .slice(0, 200);

/** Reads `mooring.yml`; what is wrong with it is named by line and field, all at once. */
export function readYml(text: string): Yml {
  if (text.length > LARGEST_YML) throw new InvalidYml([`${MOORING_YML} is longer than ${LARGEST_YML / 1024} KiB.`]);
  const counter = new LineCounter();
  const problems: string[] = [];
  const add = (offset: number, what: string) => {
    const { line, col } = counter.linePos(offset);
    if (problems.length < MOST_PROBLEMS) problems.push(`${MOORING_YML}:${line}:${col}: ${what}`);
  };
  const document = parseDocument(text, {
    lineCounter: counter,
    uniqueKeys: false,
    schema: 'core',
    prettyErrors: false,
  });
  for (const { message, pos } of document.errors) add(pos[0], message);
  if (problems.length > 0) throw new InvalidYml(problems);
  const { value, places } = plainOf(document.contents, (at, path, what) => {
    add(at, `${path.length === 0 ? 'The file' : fieldOf(pointerOf(path))} ${what}.`);
    return undefined;
  });
  if (problems.length > 0) throw new InvalidYml(problems);
  const checked = withTexts(value ?? {});
  for (const { instancePath, keyword, message, params } of Value.Errors(MooringYml, checked)) {
    // Of a field that nobody knows, only itself is named.
    if (keyword === 'additionalProperties') continue;
    const words =
      keyword === 'boolean'
        ? 'is unknown here'
        : keyword === 'enum'
          ? `${message}: ${JSON.stringify(params)}`
          : message;
    add(places.get(instancePath) ?? 0, `${instancePath === '' ? 'The file' : fieldOf(instancePath)} ${words}.`);
  }
  if (problems.length > 0) throw new InvalidYml([...new Set(problems)]);
  return checked as Yml;
}

/** What is to be done, where the file says nothing as the branch is configured. Variables of the call have the last word. */
export function applyYml(work: Work, yml: Yml): Work {
  const given = new Set(work.variablesOfBuild);
  const spoken = Object.entries(yml.variables ?? {}).filter(([name]) => !given.has(name));
  const names = new Set(spoken.map(([name]) => name));
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
      ...spoken.map(([name, value]) => ({ name, value })),
    ],
    minutes: Math.min(yml.minutes ?? work.minutes, work.minutes),
  };
}
