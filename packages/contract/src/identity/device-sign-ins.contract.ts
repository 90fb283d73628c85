import { empty, endpoint, form, json } from '../endpoint/index.ts';
import { Time } from '../fields.ts';
import { Type } from '../type.ts';

/** `grant_type` of the token endpoint for a device code (RFC 8628). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The built-in client of the command line. */
export const COMMAND_LINE_CLIENT = '8b1f4b36-2f0d-4a0c-8d6e-6c5b9a7e3d41';

const unchecked = (description: string) => Type.Optional(Type.Unknown({ description }));

export const oauth_deviceCode = endpoint({
  id: 'oauth_deviceCode',
  method: 'POST',
  path: '/common/oauth2/devicecode',
  tag: 'signing in',
  summary: 'Start to sign in the command line with a code that a person confirms in a browser',
  description:
    'The device authorization request of RFC 8628, for the built-in client of the command line. Then call the token endpoint until the person has decided.',
  access: 'public',
  effect: 'read',
  request: form(
    Type.Object({
      client_id: unchecked('The ID of the command line.'),
      device_name: unchecked('The name of the machine; shown to the person, and in the description of the token.'),
    }),
    { maxBytes: 8192, maxFields: 20, orJson: true },
  ),
  response: json(
    Type.Object(
      {
        device_code: Type.String({ description: 'A secret for the token endpoint.' }),
        user_code: Type.String({ description: 'The code that the person enters or confirms.' }),
        verification_uri: Type.String({ description: 'The page for the code.' }),
        verification_uri_complete: Type.String({ description: 'The page with the code filled in.' }),
        expires_in: Type.Integer({ description: 'The lifetime of both codes in seconds.' }),
        interval: Type.Integer({
          description: 'The minimum number of seconds between two calls of the token endpoint.',
        }),
      },
      { $id: 'OauthDeviceCode' },
    ),
    { description: 'The codes.' },
  ),
  errorShape: 'oauth',
});

const UserCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'The code that the command line shows; case and "-" are ignored.',
});

export const deviceSignIns_get = endpoint({
  id: 'deviceSignIns_get',
  method: 'GET',
  path: '/v0.1/oauth/device_sign_in',
  tag: 'signing in',
  summary: 'Get the machine that a sign-in code belongs to, for the page that confirms it',
  access: 'user',
  effect: 'read',
  query: Type.Object({ user_code: UserCode }),
  response: json(
    Type.Object({
      client_name: Type.String(),
      device_name: Type.String({ description: 'As the program calls its machine.' }),
      address: Type.String({ description: 'The IP address of the machine.' }),
      requested_at: Time,
      expires_at: Time,
    }),
    { description: 'The request that the code belongs to.' },
  ),
  errors: [404],
});

export const deviceSignIns_answer = endpoint({
  id: 'deviceSignIns_answer',
  method: 'POST',
  path: '/v0.1/oauth/device_sign_in',
  tag: 'signing in',
  summary: 'Sign in the machine that a code belongs to, or refuse it',
  description:
    'Needs a session of the console: a token cannot sign in further machines. Each code is for one decision. The machine then gets a new Full Access API token.',
  access: 'user',
  effect: 'change',
  confirms: true,
  request: json(Type.Object({ user_code: UserCode, is_allowed: Type.Boolean() })),
  response: empty({ description: 'The decision is stored.' }),
  errors: [404],
});
