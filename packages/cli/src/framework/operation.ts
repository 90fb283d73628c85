import {
  type CallInput,
  type Client,
  type EndpointSpec,
  needsCredential,
  type OutputOf,
  type SortOrder,
  sortOrders,
} from '@mooring/contract';
import { followList } from '../follow-list.ts';
import type { Column, Output } from '../output.ts';
import {
  gatherLinks,
  gatherPages,
  type LinkedPage,
  limitOption,
  type Page,
  printLinked,
  printPage,
} from '../paging.ts';
import { confirm } from '../prompt.ts';
import { type ArgumentSpecs, type Command, command, type OptionSpecs, type Values } from './command.ts';
import { wrongUsage } from './errors.ts';

/** One item of a list or page, or else the answer itself. */
export type RowOf<E extends EndpointSpec> =
  OutputOf<E> extends { values: (infer T)[] } | { value: (infer T)[] } | (infer T)[] ? T : OutputOf<E>;

export interface OperationSpec<E extends EndpointSpec, A extends ArgumentSpecs, O extends OptionSpecs> {
  name: string;
  endpoint: E;
  /** Unless the summary of the operation says it well enough. */
  summary?: string;
  arguments?: A;
  options?: O;
  /** What is sent; a page is asked for by itself. */
  input?(values: Values<A, O>): CallInput<E> | Promise<CallInput<E>>;
  /** How a row prints: a table of a list, one record of anything else. */
  columns?: readonly Column<RowOf<E>>[];
  /** The one text that is worth printing, instead of columns. */
  line?(answer: OutputOf<E>): string;
  /** What a person is told afterwards. */
  done?(values: Values<A, O>, answer: OutputOf<E>): string;
  /** The stream that tells of changes of a list that is newest first: it can be followed. */
  follow?: EndpointSpec;
  /** The question before something that cannot be undone; asked on a terminal only. */
  confirm?(values: Values<A, O>): string;
}

const followOption = { follow: { summary: 'Go on with what comes, until Ctrl-C' } } as const;

const yesOption = { yes: { summary: 'Do not ask first' } } as const;

/** By which name an operation is told where its page begins. */
const pagesBy = ({ query }: EndpointSpec) =>
  (['cursor', '$skipToken'] as const).find((name) => name in (query?.properties ?? {}));

/** What a list can be sorted by, if it can. */
const sortsOf = ({ query }: EndpointSpec): readonly string[] =>
  (query?.properties.sort as { enum?: readonly string[] } | undefined)?.enum ?? [];

/** The options of a list that can be searched and sorted, by what it can be sorted by. */
export const listOptions = <const S extends string>(sorts: readonly S[]) =>
  ({
    search: { value: 'TEXT', summary: 'Only what has these words in its names' },
    sort: { value: 'KEY', summary: 'What to sort by', choices: sorts },
    order: { value: 'ORDER', summary: 'Which way', choices: sortOrders },
  }) as const;

/** What such a list is asked for; nothing of what was not given. */
export const arrangementOf = <S extends string>({
  search,
  sort,
  order,
}: {
  search?: string | undefined;
  sort?: S | undefined;
  order?: SortOrder | undefined;
}) => ({ ...(search ? { search } : {}), ...(sort ? { sort } : {}), ...(order ? { order } : {}) });

type LooseCall = (spec: EndpointSpec, input: { query?: object; signal?: AbortSignal }) => Promise<unknown>;

const listIn = ({ value, values = value }: { value?: unknown; values?: unknown }): unknown => values;

function printAnswer<T>(out: Output, answer: unknown, columns: readonly Column<T>[]): void {
  // Not by taking an array apart: each has a function called `values`.
  const list = Array.isArray(answer) ? answer : listIn(answer as { value?: unknown; values?: unknown });
  if (Array.isArray(list)) out.table(answer, list as T[], columns);
  else out.record(answer, answer as T, columns);
}

interface Paging<T> {
  input: { query?: object };
  limit: string | undefined;
  columns: readonly Column<T>[];
}

async function printPages<T>(
  out: Output,
  call: Client,
  spec: EndpointSpec,
  { input, limit, columns }: Paging<T>,
): Promise<void> {
  const getPage = (page: object) => (call as LooseCall)(spec, { ...input, query: { ...input.query, ...page } });
  if (pagesBy(spec) === 'cursor') {
    printPage(out, await gatherPages(limit, (page) => getPage(page) as Promise<Page<T>>), columns);
  } else {
    printLinked(out, await gatherLinks(limit, (page) => getPage(page) as Promise<LinkedPage<T>>), columns);
  }
}

/** The pages of a list, one after the other. */
async function* pagesOf<T>(
  call: Client,
  spec: EndpointSpec,
  input: { query?: object; signal: AbortSignal },
): AsyncGenerator<readonly T[]> {
  for (let next: object | undefined = {}; next; ) {
    const page = await (call as LooseCall)(spec, { ...input, query: { ...input.query, ...next } });
    yield listIn(page as object) as T[];
    const { next_cursor: cursor, nextLink } = page as { next_cursor?: string; nextLink?: string };
    const $skipToken = nextLink && new URL(nextLink).searchParams.get('$skipToken');
    next = cursor ? { cursor } : $skipToken ? { $skipToken } : undefined;
  }
}

/** Declares a command that calls one operation and prints its answer. */
export function operation<
  E extends EndpointSpec,
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(spec: OperationSpec<E, A, O>): Command {
  const { endpoint } = spec;
  const paged = pagesBy(endpoint) !== undefined;
  const sorts = sortsOf(endpoint);
  const options: OptionSpecs = {
    ...spec.options,
    ...(sorts.length > 0 ? listOptions(sorts) : {}),
    ...(paged ? { limit: limitOption } : {}),
    ...(spec.follow ? followOption : {}),
    ...(spec.confirm ? yesOption : {}),
  };
  return command<ArgumentSpecs, OptionSpecs>({
    name: spec.name,
    summary: spec.summary ?? endpoint.summary,
    arguments: spec.arguments,
    options,
    async run({ args, options: given, out, connect }) {
      const values = { args, options: given } as Values<A, O>;
      const wanted: { query?: object } = (await spec.input?.(values)) ?? {};
      const { search, sort, order } = given;
      const input = sorts.length > 0 ? { ...wanted, query: { ...wanted.query, search, sort, order } } : wanted;
      const { call, server } = connect({ mayBeNobody: !needsCredential(endpoint) });
      if (spec.confirm && given.yes !== true) await confirm(spec.confirm(values));
      const columns = spec.columns as readonly Column<unknown>[] | undefined;
      if (spec.follow && given.follow === true) {
        const strange = ['search', 'sort', 'order', 'limit'].find((name) => given[name] !== undefined);
        if (strange) throw wrongUsage(`--follow prints all that comes, as it comes; leave --${strange} away.`);
        const { follow } = spec;
        await followList({
          pages: (signal) => pagesOf<{ id: string }>(call, endpoint, { ...wanted, signal }),
          watch: async (signal) => (await (call as LooseCall)(follow, { ...wanted, signal })) as AsyncIterable<unknown>,
          columns: (columns ?? []) as readonly Column<{ id: string }>[],
          of: Object.values(args).join(' '),
          ...{ server, out },
        });
        return;
      }
      if (paged) {
        const limit = given.limit as string | undefined;
        await printPages(out, call, endpoint, { input, limit, columns: columns ?? [] });
        return;
      }
      const answer = (await (call as LooseCall)(endpoint, input)) as OutputOf<E>;
      if (spec.line) out.value(answer, spec.line(answer));
      else if (columns) printAnswer(out, answer, columns);
      else if (answer !== undefined && given.json === true) out.json(answer);
      if (spec.done) out.note(spec.done(values, answer));
    },
  });
}
