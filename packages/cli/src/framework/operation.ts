import {
  type CallInput,
  type Client,
  type EndpointOutput,
  type EndpointSpec,
  needsCredential,
  type SortOrder,
  sortOrders,
} from '@mooring/contract';
import { followList } from '../lists/follow-list.ts';
import {
  gatherLinks,
  gatherPages,
  type LinkedPage,
  limitOption,
  type Page,
  printLinked,
  printPage,
} from '../lists/paging.ts';
import type { Column, Output } from '../terminal/output.ts';
import { confirm } from '../terminal/prompt.ts';
import { type ArgumentSpecs, type Command, command, type OptionSpecs, type Values } from './command.ts';
import { wrongUsage } from './errors.ts';

/** An item of a list or page, or the response itself. */
export type Row<E extends EndpointSpec> =
  EndpointOutput<E> extends { values: (infer T)[] } | { value: (infer T)[] } | (infer T)[] ? T : EndpointOutput<E>;

export interface OperationSpec<E extends EndpointSpec, A extends ArgumentSpecs, O extends OptionSpecs> {
  name: string;
  aliases?: readonly string[];
  endpoint: E;
  /** Defaults to the summary of the endpoint. */
  summary?: string;
  arguments?: A;
  options?: O;
  /** The request, without the parameters for paging. */
  input?(values: Values<A, O>): CallInput<E> | Promise<CallInput<E>>;
  /** Columns of a row; lists print as a table, other responses as one record. */
  columns?: readonly Column<Row<E>>[];
  /** Formats the response as text, instead of columns. */
  line?(result: EndpointOutput<E>): string;
  /** Note after success, on stderr. */
  done?(values: Values<A, O>, result: EndpointOutput<E>): string;
  /** Streams changes of a list that is sorted newest first; adds --follow. */
  follow?: EndpointSpec;
  /** Question before an action that can't be undone; asked on a terminal only. */
  confirm?(values: Values<A, O>): string;
}

const followOption = { follow: { summary: 'Keep printing new rows until Ctrl-C' } } as const;

const yesOption = { yes: { summary: 'Skip the confirmation prompt' } } as const;

/** The query parameter that selects a page. */
const pagesBy = ({ query }: EndpointSpec) =>
  (['cursor', '$skipToken'] as const).find((name) => name in (query?.properties ?? {}));

/** Sort keys of a list; empty if it can't be sorted. */
const listSorts = ({ query }: EndpointSpec): readonly string[] =>
  (query?.properties.sort as { enum?: readonly string[] } | undefined)?.enum ?? [];

/** Options of a list that can be searched and sorted. */
export const listOptions = <const S extends string>(sorts: readonly S[]) =>
  ({
    search: { value: 'TEXT', summary: 'Filter by name' },
    sort: { value: 'KEY', summary: 'Sort key', choices: sorts },
    order: { value: 'ORDER', summary: 'Sort order', choices: sortOrders },
  }) as const;

/** The query for such a list; omits unset options. */
export const toListQuery = <S extends string>({
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

function printResult<T>(out: Output, result: unknown, columns: readonly Column<T>[]): void {
  // Check for an array first: every array has a function called `values`.
  const list = Array.isArray(result) ? result : listIn(result as { value?: unknown; values?: unknown });
  if (Array.isArray(list)) out.table(result, list as T[], columns);
  else out.record(result, result as T, columns);
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

/** Fetches the pages of a list, one after the other. */
async function* fetchPages<T>(
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

/** Declares a command that calls one operation and prints its response. */
export function operation<
  E extends EndpointSpec,
  const A extends ArgumentSpecs = Record<never, never>,
  const O extends OptionSpecs = Record<never, never>,
>(spec: OperationSpec<E, A, O>): Command {
  const { endpoint } = spec;
  const paged = pagesBy(endpoint) !== undefined;
  const sorts = listSorts(endpoint);
  const optionSpecs: OptionSpecs = {
    ...spec.options,
    ...(sorts.length > 0 ? listOptions(sorts) : {}),
    ...(paged ? { limit: limitOption } : {}),
    ...(spec.follow ? followOption : {}),
    ...(spec.confirm ? yesOption : {}),
  };
  return command<ArgumentSpecs, OptionSpecs>({
    name: spec.name,
    aliases: spec.aliases,
    summary: spec.summary ?? endpoint.summary,
    arguments: spec.arguments,
    options: optionSpecs,
    async run({ args, options, out, connect }) {
      const values = { args, options } as Values<A, O>;
      const request: { query?: object } = (await spec.input?.(values)) ?? {};
      const { search, sort, order } = options;
      const input = sorts.length > 0 ? { ...request, query: { ...request.query, search, sort, order } } : request;
      const { call, server } = connect({ allowAnonymous: !needsCredential(endpoint) });
      if (spec.confirm && options.yes !== true) await confirm(spec.confirm(values));
      const columns = spec.columns as readonly Column<unknown>[] | undefined;
      if (spec.follow && options.follow === true) {
        const excluded = ['search', 'sort', 'order', 'limit'].find((name) => options[name] !== undefined);
        if (excluded) throw wrongUsage(`--follow can't be combined with --${excluded}.`);
        const { follow } = spec;
        await followList({
          pages: (signal) => fetchPages<{ id: string }>(call, endpoint, { ...request, signal }),
          watch: async (signal) =>
            (await (call as LooseCall)(follow, { ...request, signal })) as AsyncIterable<unknown>,
          columns: (columns ?? []) as readonly Column<{ id: string }>[],
          label: Object.values(args).join(' '),
          ...{ server, out },
        });
        return;
      }
      if (paged) {
        const limit = options.limit as string | undefined;
        await printPages(out, call, endpoint, { input, limit, columns: columns ?? [] });
        return;
      }
      const result = (await (call as LooseCall)(endpoint, input)) as EndpointOutput<E>;
      if (spec.line) out.value(result, spec.line(result));
      else if (columns) printResult(out, result, columns);
      else if (result !== undefined && options.json === true) out.json(result);
      if (spec.done) out.note(spec.done(values, result));
    },
  });
}
