import { Failure } from '../../kernel/errors.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { judgeHistory, parseBody, type Received } from '../ingest/index.ts';
import { toPastLog } from './records.ts';

export interface HistoryQuestion {
  appId: string;
  body: Uint8Array;
  now: number;
}

function parse(body: Uint8Array): unknown[] {
  try {
    const records = parseBody(body);
    if (Array.isArray(records)) return records;
  } catch (error) {
    throw error instanceof Failure ? new Unreadable(error.message) : error;
  }
  throw new Unreadable('The body is not an array of records, as files of exports are.');
}

/** Reads records that another server exported; throws `Unreadable`. */
export const readRecords = ({ appId, body, now }: HistoryQuestion): Promise<Received[]> =>
  judgeHistory({ clock: { now: () => now } }, appId, parse(body).map(toPastLog));
