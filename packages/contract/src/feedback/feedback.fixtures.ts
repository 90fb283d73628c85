import { apps_get } from '../apps/apps.contract.ts';
import { createClient } from '../client.ts';
import { type Fixtures, putId, until } from '../fixtures/fixtures.ts';
import { picture } from '../fixtures/picture.ts';
import {
  feedback_delete,
  feedback_get,
  feedback_list,
  feedback_send,
  feedbackPictures_get,
} from './feedback.contract.ts';
import { feedbackExamples } from './feedback.examples.ts';

/** Feedback with a picture, and another one to delete. */
export async function addFeedback(fixtures: Fixtures): Promise<void> {
  const { ada, server } = fixtures;
  const { params } = feedbackExamples.feedback_list;
  const { app_secret = '' } = await ada.call(apps_get, { params });
  const headers = { 'app-secret': app_secret };
  const { body } = feedbackExamples.feedback_send;
  const send = createClient(server);
  const { values } = await ada.call(feedback_list, { params });
  const find = async (text: string, files: readonly Blob[]) =>
    values.find((one) => one.text === text)?.id ??
    (await send(feedback_send, { headers, body: { ...body, text }, files })).id;
  const id = await find(body.text, [picture]);
  putId(fixtures, feedback_send, 'app-secret', app_secret);
  putId(fixtures, feedback_get, 'feedback_id', id);
  putId(fixtures, feedback_delete, 'feedback_id', await find('Delete this one.', []));
  const get = () => ada.call(feedback_get, { params: { ...params, feedback_id: id } });
  await until(server, async () => (await get()).pictures.every(({ state }) => state !== 'waiting'));
  const [first] = (await get()).pictures;
  if (first) putId(fixtures, feedbackPictures_get, 'picture_id', first.id);
}
