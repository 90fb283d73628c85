import { putId, type World } from '../world/world.ts';
import { senderRequests_create, senderRequests_get, senderRequests_list } from './sender-requests.contract.ts';
import { senderRequestsExamples } from './sender-requests.examples.ts';

/** A copy of what one user of the app sent. */
export async function addSenderRequest(world: World): Promise<void> {
  const { params, body } = senderRequestsExamples.senderRequests_create;
  const [known] = (await world.ada.call(senderRequests_list, { params })).values;
  const { id } = known ?? (await world.ada.call(senderRequests_create, { params, body }));
  putId(world, senderRequests_get, 'request_id', id);
}
