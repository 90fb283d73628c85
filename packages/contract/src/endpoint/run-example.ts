import type { EndpointSpec } from './endpoint.ts';
import type { Answered } from './kind.ts';
import { kindOfResponse } from './kinds.ts';

/** What is wrong with an answer that ought to be a success of the operation; nothing if it is one. */
export function problemsWith({ response }: EndpointSpec, answered: Answered): unknown[] {
  const kind = kindOfResponse(response);
  return kind.statuses(response).includes(answered.status)
    ? kind.check(response, answered)
    : [`${answered.status} ${answered.body}`];
}
