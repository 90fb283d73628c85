import { empty, endpoint, file, json, parts } from '../endpoint/index.ts';
import { AppPath, Time, Uuid } from '../fields.ts';
import { listQuery, Page } from '../paging.ts';
import { Type } from '../type.ts';

const MIB = 1024 * 1024;

export const FEEDBACK_MAX_LENGTH = 10_000;
export const REPLY_MAX_LENGTH = 10_000;

/** Pictures of one message. Phones take pictures of 12 to 50 megapixels. */
export const feedbackPictures = {
  field: 'pictures',
  types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  maxFiles: 5,
  maxBytes: 8 * MIB,
} as const;
/** Of all pictures and fields of one message. */
export const FEEDBACK_MAX_BYTES = 24 * MIB;

export const feedbackStates = ['open', 'in_progress', 'closed'] as const;
export const feedbackSources = ['sentry', 'install_page', 'api'] as const;
export const feedbackSorts = ['received_at'] as const;

const text = (description: string) => Type.Optional(Type.String({ description }));
const State = Type.Enum([...feedbackStates]);

const FeedbackPerson = Type.Object(
  { name: Type.String(), display_name: Type.String() },
  { description: 'A user of this server.' },
);

const feedbackFields = {
  id: Uuid,
  source: Type.Enum([...feedbackSources], {
    description:
      '`sentry`: sent by a Sentry SDK. `install_page`: written on the install page of a release. `api`: sent with the app secret.',
  }),
  state: State,
  text: Type.String({ description: 'Plain text of the sender, as it was sent.' }),
  name: text('The name that the sender entered.'),
  email: text('The address that the sender entered. It is not verified.'),
  version: text('The version of the app.'),
  app_build: text('The build of the app.'),
  model: text('The model of the device.'),
  os: text('The operating system and its version.'),
  locale: text('The language of the device, such as de-DE.'),
  created_at: Time,
  received_at: Time,
  assignee: Type.Optional(FeedbackPerson),
  picture_count: Type.Integer({ minimum: 0 }),
  reply_count: Type.Integer({ minimum: 0 }),
};

export const FeedbackItem = Type.Object(feedbackFields, { $id: 'FeedbackItem' });

const FeedbackPicture = Type.Object(
  {
    id: Uuid,
    state: Type.Enum(['waiting', 'ready', 'refused'], {
      description:
        '`waiting`: the server is drawing it again, without metadata. `refused`: it could not be read and was deleted.',
    }),
    note: text('Why it was refused.'),
    width: Type.Optional(Type.Integer()),
    height: Type.Optional(Type.Integer()),
    size: Type.Optional(Type.Integer({ description: 'The size in bytes.' })),
  },
  { $id: 'FeedbackPicture' },
);

const FeedbackReply = Type.Object(
  {
    id: Uuid,
    text: Type.String(),
    to: Type.String({ description: 'The address that the reply was sent to.' }),
    author: Type.Optional(FeedbackPerson),
    sent_at: Time,
  },
  { $id: 'FeedbackReply' },
);

const FeedbackCrash = Type.Object(
  {
    report_id: Type.String(),
    crash_group_id: text('Absent if the report could not be processed.'),
    issue_id: text('Absent if the report could not be processed.'),
  },
  { $id: 'FeedbackCrash', description: 'The crash or error that the sender saw.' },
);

export const Feedback = Type.Object(
  {
    ...feedbackFields,
    account: Type.Optional(FeedbackPerson),
    can_reply: Type.Boolean({ description: 'True if the sender entered an email address.' }),
    url: text('The page or screen that the sender was on.'),
    install_id: text('The installation of the app.'),
    user_id: text('The ID of the user that the app set.'),
    session_id: text('The session of the app.'),
    event_id: text('The ID of the crash or error that the sender saw, as the SDK sent it.'),
    crash: Type.Optional(FeedbackCrash),
    release_id: Type.Optional(Type.Integer({ description: 'The release with this version and build.' })),
    pictures: Type.Array(FeedbackPicture),
    replies: Type.Array(FeedbackReply, { description: 'Oldest first.' }),
  },
  { $id: 'Feedback' },
);

const home = '/v0.1/apps/{owner_name}/{app_name}/feedback';
const one = `${home}/{feedback_id}` as const;
const Id = Type.String({ minLength: 1, maxLength: 100 });
const OnePath = { ...AppPath, feedback_id: Id };
const common = { tag: 'feedback', errors: [404] } as const;

/** All of these are not in the API of App Center. */
export const feedback_list = endpoint({
  ...common,
  id: 'feedback_list',
  method: 'GET',
  path: home,
  summary: 'List the feedback of an app',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(AppPath),
  query: Type.Object({
    ...listQuery(feedbackSorts, 'text, name or address'),
    state: Type.Optional(Type.Enum([...feedbackStates, 'unresolved'], { description: '`unresolved`: not closed.' })),
    assignee: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'The name of a user, or `-` for feedback that no one is assigned to.',
      }),
    ),
    version: Type.Optional(Type.String({ maxLength: 256 })),
  }),
  response: json(Page(FeedbackItem), { description: 'The feedback, newest first by default.' }),
});

export const feedback_get = endpoint({
  ...common,
  id: 'feedback_get',
  method: 'GET',
  path: one,
  summary: 'Get feedback with its pictures and replies',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object(OnePath),
  response: json(Feedback, { description: 'The feedback.' }),
});

export const feedback_update = endpoint({
  ...common,
  id: 'feedback_update',
  method: 'PATCH',
  path: one,
  summary: 'Change the state or the assignee of feedback',
  description: 'Omitted fields stay unchanged.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(OnePath),
  request: json(
    Type.Object({
      state: Type.Optional(State),
      assignee: Type.Optional(
        Type.Union([Type.String({ minLength: 1, maxLength: 100 }), Type.Null()], {
          description: 'The name of a user with access to the app, or null.',
        }),
      ),
    }),
  ),
  response: json(Feedback, { description: 'The changed feedback.' }),
});

export const feedback_delete = endpoint({
  ...common,
  id: 'feedback_delete',
  method: 'DELETE',
  path: one,
  summary: 'Delete feedback with its pictures and replies',
  access: 'app:manager',
  effect: 'change',
  params: Type.Object(OnePath),
  response: empty({ description: 'The feedback is deleted.' }),
});

export const feedbackReplies_send = endpoint({
  ...common,
  id: 'feedbackReplies_send',
  method: 'POST',
  path: `${one}/replies`,
  summary: 'Reply to feedback by email',
  description:
    'Sends the text to the address that the sender entered, with the name of the app. Their message is not repeated. 409 if they entered no address.',
  access: 'app:developer',
  effect: 'change',
  params: Type.Object(OnePath),
  request: json(Type.Object({ text: Type.String({ minLength: 1, maxLength: REPLY_MAX_LENGTH, pattern: '\\S' }) })),
  response: json(FeedbackReply, { status: 201, description: 'The reply, which is sent in the background.' }),
  errors: [404, 409, 429],
});

export const feedbackPictures_get = endpoint({
  ...common,
  id: 'feedbackPictures_get',
  method: 'GET',
  path: `${one}/pictures/{picture_id}`,
  summary: 'Get a picture of feedback',
  description: 'The server has drawn it again, so it has no metadata, such as the place where it was taken.',
  access: 'app:viewer',
  effect: 'read',
  params: Type.Object({ ...OnePath, picture_id: Id }),
  response: file({
    description: 'The picture.',
    types: ['image/jpeg', 'image/png'],
    cache: 'private, max-age=3600',
  }),
});

const field = (description: string, maxLength: number) => Type.Optional(Type.String({ maxLength, description }));

export const feedback_send = endpoint({
  ...common,
  id: 'feedback_send',
  method: 'POST',
  path: '/v0.1/public/feedback',
  summary: 'Send feedback from an app, with pictures',
  description: `For apps without an SDK that sends feedback. The app secret is in the header App-Secret. Send a form with up to ${feedbackPictures.maxFiles} pictures, or the fields as JSON. 429 if the app or the address has sent too much within an hour.`,
  access: 'appSecret',
  effect: 'ingest',
  readableFrom: 'senders',
  headers: Type.Object({ 'app-secret': Type.String({ description: 'The secret of the app.' }) }),
  request: parts(
    Type.Object({
      text: Type.String({ minLength: 1, maxLength: FEEDBACK_MAX_LENGTH, pattern: '\\S', description: 'Plain text.' }),
      name: field('The name of the sender.', 200),
      email: field('The address to reply to.', 254),
      version: field('The version of the app.', 100),
      app_build: field('The build of the app.', 100),
      model: field('The model of the device.', 100),
      os: field('The operating system and its version.', 100),
      locale: field('The language of the device, such as de-DE.', 50),
      url: field('The page or screen that the sender is on.', 2000),
      install_id: field('A UUID of this installation, as sent to Crashes and Analytics.', 100),
      user_id: field('The ID of the user that the app set.', 256),
      session_id: field('The session of the app.', 100),
      event_id: field('The ID of the crash or error that the sender saw.', 100),
    }),
    { files: feedbackPictures, maxBytes: FEEDBACK_MAX_BYTES, orJson: true },
  ),
  response: json(Type.Object({ id: Uuid }), { status: 201, description: 'The feedback is stored.' }),
  errors: [404, 415, 429],
});
