import {
  adminUsers_create,
  adminUsers_list,
  adminUsers_update,
  apps_updateAvatar,
  type EndpointSpec,
  HealthEvent_Withdraw,
  users_get,
} from '@mooring/contract';
import { expect, it } from 'vitest';
import { readRequest } from './api.ts';

const nothing = { params: {}, query: {}, body: {} };

it.each<[EndpointSpec, string[], object]>([
  [users_get, [], nothing],
  [adminUsers_list, ['limit=2', 'cursor=a=b'], { ...nothing, query: { limit: '2', cursor: 'a=b' } }],
  [
    adminUsers_update,
    ['user_id=7', 'is_admin=true'],
    { ...nothing, params: { user_id: '7' }, body: { is_admin: true } },
  ],
  [adminUsers_create, ['password=1234567890'], { ...nothing, body: { password: '1234567890' } }],
  [adminUsers_create, ['name="ada"', 'is_admin=maybe'], { ...nothing, body: { name: 'ada', is_admin: 'maybe' } }],
  [adminUsers_create, ['other={"a":[1]}'], { ...nothing, body: { other: { a: [1] } } }],
  [
    apps_updateAvatar,
    ['owner_name=ada', 'app_name=compass', 'avatar=@icon.png'],
    { ...nothing, params: { owner_name: 'ada', app_name: 'compass' }, file: 'icon.png' },
  ],
  [
    HealthEvent_Withdraw,
    ['trackingId=A-1', 'if-match="1.2"'],
    {
      params: { trackingId: 'A-1' },
      query: { 'api-version': '2024-02-01' },
      headers: { 'if-match': '"1.2"' },
      body: {},
    },
  ],
  [adminUsers_create, ['email='], { ...nothing, body: { email: '' } }],
])('sorts what is given by the names of the operation %#', (spec, words, request) => {
  expect(readRequest(spec, words)).toEqual(request);
});

it('adds fields to a given body', () => {
  expect(readRequest(adminUsers_create, ['name=ada'], { name: 'x', email: 'y' }).body).toEqual({
    name: 'ada',
    email: 'y',
  });
});

it.each<[EndpointSpec, string[], RegExp]>([
  [users_get, ['x=1'], /"x" is nothing/],
  [adminUsers_update, ['is_admin=true'], /user_id is missing/],
  [adminUsers_update, ['user_id='], /user_id is missing/],
  [adminUsers_create, ['name'], /name=value/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass'], /A file is missing; add avatar=@FILE/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass', 'avatar=icon.png'], /A file is missing/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass', 'avatar=@a', 'x=1'], /"x" is nothing/],
  [adminUsers_create, ['=1'], /name=value/],
])('refuses what the operation cannot take %#', (spec, words, message) => {
  expect(() => readRequest(spec, words)).toThrow(message);
});
