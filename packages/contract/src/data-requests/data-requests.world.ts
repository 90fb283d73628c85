import { putId, type World } from '../world/world.ts';
import {
  dataSubjectRight_deleteRequest,
  dataSubjectRight_deleteStatusRequest,
  dataSubjectRight_exportRequest,
  dataSubjectRight_exportStatusRequest,
} from './data-requests.contract.ts';

export async function addDataRequests(world: World): Promise<void> {
  const { ada } = world;
  const exported = await ada.call(dataSubjectRight_exportRequest, { body: {} });
  putId(world, dataSubjectRight_exportStatusRequest, 'token', exported.token);
  const deleted = await ada.call(dataSubjectRight_deleteRequest, { body: {} });
  putId(world, dataSubjectRight_deleteStatusRequest, 'token', deleted.token);
}
