import { endpoint, form, json, text } from '../endpoint/index.ts';
import { Type } from '../type.ts';

const common = { tag: 'releases', errorShape: 'flat' } as const;
const Wanted = Type.Object({ is_wanted: Type.Boolean() }, { $id: 'ReleaseMails' });

export const releaseMails_get = endpoint({
  ...common,
  id: 'releaseMails_get',
  method: 'GET',
  path: '/v0.1/user/release_mails',
  summary: 'Tells whether the caller gets mails about new releases',
  access: 'user',
  effect: 'read',
  response: json(Wanted, { description: 'Whether they are wanted; they are, unless somebody says otherwise.' }),
});

export const releaseMails_set = endpoint({
  ...common,
  id: 'releaseMails_set',
  method: 'PUT',
  path: '/v0.1/user/release_mails',
  summary: 'Says whether the caller gets mails about new releases',
  access: 'user',
  effect: 'change',
  request: json(Wanted),
  response: json(
    Type.Object({
      ...Wanted.properties,
      unsubscribe_url: Type.String({ description: 'What the mails name for mail programs.' }),
    }),
    { description: 'As it is from now on.' },
  ),
});

/** The same address for people, who open it, and for mail programs, which post to it. */
const unsubscribing = {
  ...common,
  path: '/v0.1/public/release_mails/unsubscribe',
  access: 'public',
  alsoNeeds: 'the token in the mail',
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  errors: [403],
} as const;

export const releaseMails_askToUnsubscribe = endpoint({
  ...unsubscribing,
  id: 'releaseMails_askToUnsubscribe',
  method: 'GET',
  summary: 'Asks the reader of a mail whether to end the mails about new releases',
  description: 'For people: a page without scripts, and with one button. Opening it ends nothing.',
  effect: 'read',
  errorShape: 'page',
  response: text({ type: 'text/html', description: 'The page.' }),
});

export const releaseMails_unsubscribe = endpoint({
  ...unsubscribing,
  id: 'releaseMails_unsubscribe',
  method: 'POST',
  summary: 'Ends the mails about new releases, for mail programs (RFC 8058)',
  description: 'The address is in the header List-Unsubscribe of such a mail.',
  effect: 'change',
  request: form(Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }), {
    maxBytes: 1000,
    maxFields: 5,
  }),
  response: text({ type: 'text/html', description: 'A page that says that there are no more of them.' }),
});
