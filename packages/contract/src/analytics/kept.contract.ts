import { Type } from 'typebox';
import { empty, endpoint, json } from '../endpoint/index.ts';
import { AppPath, at, reading } from './asked.ts';

const deleting = {
  ...reading,
  method: 'DELETE',
  access: 'app:manager',
  effect: 'change',
  response: empty({ description: 'It is gone from all figures; its files are written anew within minutes.' }),
} as const;
const description =
  'What came until now is gone at once, from every figure. What comes later counts; block the install if it should not. Requests as they came are deleted when the UTC day is over.';

export const analytics_deleteInstall = endpoint({
  ...deleting,
  id: 'analytics_deleteInstall',
  path: `${at}/installs/{install_id}`,
  summary: 'Deletes all that an installation of the app sent',
  description,
  params: Type.Object({ ...AppPath, install_id: Type.String({ minLength: 1, maxLength: 128 }) }),
});

export const analytics_deleteUser = endpoint({
  ...deleting,
  id: 'analytics_deleteUser',
  path: `${at}/users/{user_id}`,
  summary: 'Deletes all that was sent with the id that the app gave a user',
  description,
  params: Type.Object({ ...AppPath, user_id: Type.String({ minLength: 1, maxLength: 256 }) }),
});

export const analyticsLimits = [
  'retention_days',
  'event_name_length',
  'event_names_per_day',
  'properties_per_event',
  'property_length',
  'audiences',
  'charts',
] as const;

export const analytics_limits = endpoint({
  ...reading,
  id: 'analytics_limits',
  path: `${at}/limits`,
  summary: 'Shows the limits of analytics, and what was more than they allow',
  params: Type.Object(AppPath),
  response: json(
    Type.Object({
      limits: Type.Array(
        Type.Object({
          name: Type.Enum([...analyticsLimits]),
          value: Type.Integer({ minimum: 0, description: '0 is no limit.' }),
          setting: Type.String({ description: 'The setting of the server that it comes from.' }),
          exceeded_count: Type.Optional(
            Type.Integer({ minimum: 0, description: 'How often something was cut in the last 28 days.' }),
          ),
        }),
      ),
      other_event_name: Type.String({ description: 'The name under which events beyond the limit of names count.' }),
    }),
    { description: 'The limits.' },
  ),
});
