import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { senderRequests_create, senderRequests_get, senderRequests_list } from './subject-requests.contract.ts';
import { subjectRequestsExamples } from './subject-requests.examples.ts';

/** An export of the data of one user of the app. */
export async function addSubjectRequest(fixtures: Fixtures): Promise<void> {
  const { params, body } = subjectRequestsExamples.senderRequests_create;
  const [existing] = (await fixtures.ada.call(senderRequests_list, { params })).values;
  const { id } = existing ?? (await fixtures.ada.call(senderRequests_create, { params, body }));
  putId(fixtures, senderRequests_get, 'request_id', id);
}
