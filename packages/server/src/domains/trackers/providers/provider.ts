import type { Api, Fields } from './api.ts';

/** Settings of an app's tracker. */
export interface Tracker {
  baseUrl: string;
  project: string;
  userName: string | undefined;
  label: string | undefined;
  itemType: string;
}

/** Content of a ticket; user content only appears as code. */
export interface Draft {
  /** Identifies the ticket for later searches. */
  mark: string;
  title: string;
  /** Sentences from this server. */
  lead: string;
  code: string;
  link: string;
}

export interface MadeTicket {
  id: string;
  url: string | undefined;
}

/** A kind of bug tracker, by its public REST API. */
export interface Provider {
  /** Default URL; if undefined, the URL is required. */
  defaultUrl: string | undefined;
  /** Format of the project. */
  projectPattern: RegExp;
  projectFormat: string;
  /** Authentication headers. */
  headers(tracker: Tracker, token: string): Record<string, string>;
  /** Reads the project; returns its properties in the format of the API. */
  check(api: Api, tracker: Tracker): Promise<Fields>;
  /** Finds the ticket with this mark, if it was created since then. */
  find(api: Api, tracker: Tracker, mark: string, since: number): Promise<MadeTicket | undefined>;
  create(api: Api, tracker: Tracker, draft: Draft): Promise<MadeTicket>;
  /** Reads which of the existing tickets are closed. */
  readClosed(api: Api, tracker: Tracker, ids: readonly string[]): Promise<Map<string, boolean>>;
  /** Closes or reopens a ticket. */
  setClosed(api: Api, tracker: Tracker, id: string, isClosed: boolean): Promise<void>;
}

/** Encodes a path segment. */
export const segment = (text: string): string => encodeURIComponent(text);

/** A code fence that the content cannot end, so that user content never becomes markup. */
export function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

export const toMarkdown = ({ mark, lead, code, link }: Draft): string =>
  [lead, fenced(code), `<${link}>`, `<!-- ${mark} -->`].join('\n\n');
