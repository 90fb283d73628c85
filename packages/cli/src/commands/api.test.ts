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
])('assigns fields by the names of the operation %#', (spec, assignments, request) => {
  expect(readRequest(spec, assignments)).toEqual(request);
});

it('merges fields into a body', () => {
  expect(readRequest(adminUsers_create, ['name=ada'], { name: 'x', email: 'y' }).body).toEqual({
    name: 'ada',
    email: 'y',
  });
});

it.each<[EndpointSpec, string[], RegExp]>([
  [users_get, ['x=1'], /Unknown field "x"/],
  [adminUsers_update, ['is_admin=true'], /Missing field user_id/],
  [adminUsers_update, ['user_id='], /Missing field user_id/],
  [adminUsers_create, ['name'], /name=value/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass'], /Missing file. Add avatar=@FILE/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass', 'avatar=icon.png'], /Missing file/],
  [apps_updateAvatar, ['owner_name=ada', 'app_name=compass', 'avatar=@a', 'x=1'], /Unknown field "x"/],
  [adminUsers_create, ['=1'], /name=value/],
])('rejects invalid fields %#', (spec, assignments, message) => {
  expect(() => readRequest(spec, assignments)).toThrow(message);
});
