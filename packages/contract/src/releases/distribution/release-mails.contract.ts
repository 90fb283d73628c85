import { endpoint, form, json, text } from '../../endpoint/index.ts';
import { Type } from '../../type.ts';

const common = { tag: 'releases', errorShape: 'flat' } as const;
const ReleaseEmails = Type.Object({ is_wanted: Type.Boolean() }, { $id: 'ReleaseMails' });

export const releaseMails_get = endpoint({
  ...common,
  id: 'releaseMails_get',
  method: 'GET',
  path: '/v0.1/user/release_mails',
  summary: 'Check whether the caller receives emails about new releases',
  access: 'user',
  effect: 'read',
  response: json(ReleaseEmails, { description: 'The setting (default: on).' }),
});

export const releaseMails_set = endpoint({
  ...common,
  id: 'releaseMails_set',
  method: 'PUT',
  path: '/v0.1/user/release_mails',
  summary: 'Set whether the caller receives emails about new releases',
  access: 'user',
  effect: 'change',
  request: json(ReleaseEmails),
  response: json(
    Type.Object({
      ...ReleaseEmails.properties,
      unsubscribe_url: Type.String({ description: 'The unsubscribe URL in emails, for email programs.' }),
    }),
    { description: 'The updated setting.' },
  ),
});

/** The same URL for people, who open it, and for email programs, which send a POST. */
const unsubscribing = {
  ...common,
  path: '/v0.1/public/release_mails/unsubscribe',
  access: 'public',
  alsoNeeds: 'the token in the email',
  query: Type.Object({ token: Type.String({ maxLength: 200 }) }),
  errors: [403],
} as const;

export const releaseMails_askToUnsubscribe = endpoint({
  ...unsubscribing,
  id: 'releaseMails_askToUnsubscribe',
  method: 'GET',
  summary: 'Show a page that unsubscribes from emails about new releases',
  description: 'A web page with one button and without scripts. Opening it changes nothing.',
  effect: 'read',
  errorShape: 'page',
  response: text({ type: 'text/html', description: 'The page.' }),
});

export const releaseMails_unsubscribe = endpoint({
  ...unsubscribing,
  id: 'releaseMails_unsubscribe',
  method: 'POST',
  summary: 'Unsubscribe from emails about new releases, for email programs (RFC 8058)',
  description: 'The URL is in the header List-Unsubscribe of these emails.',
  effect: 'change',
  request: form(Type.Object({ 'List-Unsubscribe': Type.Optional(Type.String({ maxLength: 100 })) }), {
    maxBytes: 1000,
    maxFields: 5,
  }),
  response: text({ type: 'text/html', description: 'A page that confirms it.' }),
});
