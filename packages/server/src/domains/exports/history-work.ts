import { Failure } from '../../kernel/errors.ts';
import { describeExcess } from '../../kernel/text/json.ts';
import { Unreadable } from '../../workers/unreadable.ts';
import { parseBody, type Received, validateHistory } from '../ingest/index.ts';
import { toPastLog } from './records.ts';

export interface HistoryRequest {
  appId: string;
  body: Uint8Array;
  now: number;
}

/** Far more than a file of an export has, and few enough to fit into memory. */
const MAX_VALUES = 1_000_000;

function parse(body: Uint8Array): unknown[] {
  try {
    const excess = describeExcess(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(), MAX_VALUES);
    if (excess) throw new Unreadable(`The body ${excess}. Send fewer records in one request.`);
    const records = parseBody(body);
    if (Array.isArray(records)) return records;
  } catch (error) {
    throw error instanceof Failure ? new Unreadable(error.message) : error;
  }
  throw new Unreadable('The body is not a JSON array of records. Send the content of an exported file.');
}

/** Reads records that another server exported; throws `Unreadable`. */
export const readRecords = ({ appId, body, now }: HistoryRequest): Promise<Received[]> =>
  validateHistory({ clock: { now: () => now } }, appId, parse(body).map(toPastLog));
