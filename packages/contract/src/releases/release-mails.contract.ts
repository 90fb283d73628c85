import { Type } from 'typebox';
import { empty, endpoint, form, json } from '../endpoint/index.ts';

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

export const releaseMails_unsubscribe = endpoint({
  ...common,
  id: 'releaseMails_unsubscribe',
  method: 'POST',
  path: '/v0.1/public/release_mails/unsubscribe',
  summary: 'Ends the mails about new releases, for mail programs (RFC 8058)',
  description: 'The address is in the header List-Unsubscribe of such a mail.',
  access: 'public',
  alsoNeeds: 'the token in the mail',
  effect: 'change',
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  request: form(Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }), {
    maxBytes: 1000,
    maxFields: 5,
  }),
  response: empty({ status: 204, description: 'There are no more of them.' }),
  errors: [403],
});
