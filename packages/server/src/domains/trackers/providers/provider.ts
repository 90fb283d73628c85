import type { Api, Fields } from './api.ts';

/** What a provider needs to know of the tracker of an app. */
export interface Tracker {
  baseUrl: string;
  project: string;
  userName: string | undefined;
  label: string | undefined;
  itemType: string;
}

/** What a ticket says; what others wrote is in it only as code. */
export interface Draft {
  /** By which it is found again. */
  mark: string;
  title: string;
  /** Sentences of ours. */
  lead: string;
  code: string;
  link: string;
}

export interface MadeTicket {
  id: string;
  url: string | undefined;
}

/** One kind of bug tracker, by its published REST interface. */
export interface Provider {
  /** Where it is, unless said; without one it must be said. */
  defaultUrl: string | undefined;
  /** How the project is written. */
  projectPattern: RegExp;
  projectWords: string;
  /** What shows who we are. */
  headers(tracker: Tracker, token: string): Record<string, string>;
  /** Asks for the project; what it says of it, in the words of the wire. */
  check(api: Api, tracker: Tracker): Promise<Fields>;
  /** The ticket with this mark, if it was made since then. */
  find(api: Api, tracker: Tracker, mark: string, since: number): Promise<MadeTicket | undefined>;
  create(api: Api, tracker: Tracker, draft: Draft): Promise<MadeTicket>;
  /** Of those that are still there, whether they are closed. */
  readClosed(api: Api, tracker: Tracker, ids: readonly string[]): Promise<Map<string, boolean>>;
  /** Closes or opens one. */
  setClosed(api: Api, tracker: Tracker, id: string, isClosed: boolean): Promise<void>;
}

/** A piece of a path. */
export const segment = (text: string): string => encodeURIComponent(text);

/** A fence that nothing within can end: a line of others' text must not command the tracker. */
export function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

export const markdownOf = ({ mark, lead, code, link }: Draft): string =>
  [lead, fenced(code), `<${link}>`, `<!-- ${mark} -->`].join('\n\n');
