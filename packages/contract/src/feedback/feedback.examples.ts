import type { EndpointExamples } from '../endpoint/example.ts';

const app = { owner_name: 'ada', app_name: 'compass' };
export const feedbackExampleId = '0192f3d0-0000-7000-8000-00000000fb01';
const pictureId = '0192f3d0-0000-7000-8000-00000000fb02';
const deletedId = '0192f3d0-0000-7000-8000-00000000fb03';
const params = { ...app, feedback_id: feedbackExampleId };
export const feedbackSecret = '7d3c1f60-0000-4000-8000-00000000fb04';
const received = '2026-11-01T09:00:00.000Z';

const item = {
  id: feedbackExampleId,
  source: 'api',
  state: 'open',
  text: 'The chart of the harbour is upside down.',
  name: 'Grace',
  email: 'grace@example.com',
  version: '2.0.1',
  app_build: '42',
  model: 'Pixel 9',
  os: 'Android 16',
  locale: 'en-GB',
  created_at: received,
  received_at: received,
  picture_count: 1,
  reply_count: 1,
} as const;
const ada = { name: 'ada', display_name: 'Ada' };
const reply = {
  id: '0192f3d0-0000-7000-8000-00000000fb05',
  text: 'Thank you! Version 2.0.2 has the fix.',
  to: 'grace@example.com',
  author: ada,
  sent_at: received,
};
const feedback = {
  ...item,
  can_reply: true,
  url: 'compass://charts/harbour',
  pictures: [{ id: pictureId, state: 'ready', width: 1080, height: 2340, size: 183_512 }],
  replies: [reply],
} as const;

export const feedbackExamples = {
  feedback_list: { params: app, query: { state: 'unresolved' }, response: { values: [item], total: 1 } },
  feedback_get: { params, response: feedback },
  feedback_update: {
    params,
    body: { state: 'in_progress', assignee: 'ada' },
    response: { ...feedback, state: 'in_progress', assignee: ada },
  },
  feedback_delete: { params: { ...app, feedback_id: deletedId } },
  feedbackReplies_send: { params, body: { text: reply.text }, response: reply },
  feedbackPictures_get: { params: { ...params, picture_id: pictureId } },
  feedback_send: {
    headers: { 'app-secret': feedbackSecret },
    body: {
      text: item.text,
      name: item.name,
      email: item.email,
      version: item.version,
      app_build: item.app_build,
      model: item.model,
      os: item.os,
      locale: item.locale,
      url: feedback.url,
    },
    response: { id: feedbackExampleId },
  },
} satisfies EndpointExamples<typeof import('./feedback.contract.ts')>;
