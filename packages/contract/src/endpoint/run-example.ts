import type { EndpointSpec } from './endpoint.ts';
import type { ReceivedResponse } from './kind.ts';
import { getResponseKind } from './kinds.ts';

/** Lists the differences between a response and a success of the operation; empty if it is valid. */
export function problemsWith({ response }: EndpointSpec, received: ReceivedResponse): unknown[] {
  const kind = getResponseKind(response);
  return kind.statuses(response).includes(received.status)
    ? kind.check(response, received)
    : [`${received.status} ${received.body}`];
}
