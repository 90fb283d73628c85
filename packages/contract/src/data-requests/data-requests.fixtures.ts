import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import {
  dataSubjectRight_deleteRequest,
  dataSubjectRight_deleteStatusRequest,
  dataSubjectRight_exportRequest,
  dataSubjectRight_exportStatusRequest,
} from './data-requests.contract.ts';

export async function addDataRequests(fixtures: Fixtures): Promise<void> {
  const { ada } = fixtures;
  const exported = await ada.call(dataSubjectRight_exportRequest, { body: {} });
  putId(fixtures, dataSubjectRight_exportStatusRequest, 'token', exported.token);
  const deleted = await ada.call(dataSubjectRight_deleteRequest, { body: {} });
  putId(fixtures, dataSubjectRight_deleteStatusRequest, 'token', deleted.token);
}
