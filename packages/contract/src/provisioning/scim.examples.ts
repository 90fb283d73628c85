import type { EndpointExamples } from '../endpoint/example.ts';

const org = { org_name: 'lighthouse' };
const base = 'https://mooring.example.com/scim/v2/lighthouse';
const user_id = '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9c11';
const group_id = '0198c7a4-0a80-7b6e-a1f7-3f0c5d2e9c21';
const created = '2026-11-01T09:00:00.000Z';
const times = { created, lastModified: created };
const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const patch = ['urn:ietf:params:scim:api:messages:2.0:PatchOp'];

const sentUser = {
  schemas: [userSchema],
  externalId: '7f1c0c5d',
  userName: 'rosalind@lighthouse.example',
  name: { givenName: 'Rosalind', familyName: 'Franklin' },
  emails: [{ value: 'rosalind@lighthouse.example', type: 'work', primary: true }],
  active: true,
};
const user = {
  ...sentUser,
  id: user_id,
  meta: { resourceType: 'User', location: `${base}/Users/${user_id}`, ...times },
};
const newUser = {
  ...sentUser,
  externalId: '7f1c0c5e',
  userName: 'dorothy@lighthouse.example',
  name: { givenName: 'Dorothy', familyName: 'Hodgkin' },
  emails: [{ value: 'dorothy@lighthouse.example', type: 'work', primary: true }],
};
const sentGroup = { schemas: [groupSchema], externalId: 'a3d0', displayName: 'Crystallographers' };
const members = [{ value: user_id }];
const group = {
  ...sentGroup,
  id: group_id,
  members: [{ value: user_id, $ref: `${base}/Users/${user_id}`, display: 'Rosalind Franklin' }],
  meta: { resourceType: 'Group', location: `${base}/Groups/${group_id}`, ...times },
};
const page = { schemas: [listSchema], totalResults: 1, startIndex: 1, itemsPerPage: 1 };

export const exampleScimUser = sentUser;
export const exampleScimGroup = { ...sentGroup, members };

export const scimExamples = {
  scim_getConfig: {
    params: org,
    response: {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: true },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: true, maxResults: 200 },
      changePassword: { supported: false },
      sort: { supported: false },
      etag: { supported: false },
    },
  },
  scim_listResourceTypes: {
    params: org,
    response: { ...page, Resources: [{ id: 'User', endpoint: '/Users', schema: userSchema }] },
  },
  scim_listSchemas: {
    params: org,
    response: { ...page, Resources: [{ id: userSchema, name: 'User', attributes: [] }] },
  },
  scim_listUsers: {
    params: org,
    query: { filter: 'userName eq "rosalind@lighthouse.example"', startIndex: 1, count: 100 },
    response: { ...page, Resources: [user] },
  },
  scim_createUser: { params: org, query: {}, body: newUser, response: { ...user, ...newUser } },
  scim_getUser: { params: { ...org, user_id }, query: {}, response: user },
  scim_replaceUser: { params: { ...org, user_id }, query: {}, body: sentUser, response: user },
  scim_patchUser: {
    params: { ...org, user_id },
    query: {},
    body: { schemas: patch, Operations: [{ op: 'replace', path: 'active', value: false }] },
    response: { ...user, active: false },
  },
  scim_deleteUser: { params: { ...org, user_id } },
  scim_listGroups: {
    params: org,
    query: { filter: 'displayName eq "Crystallographers"', excludedAttributes: 'members' },
    response: { ...page, Resources: [{ ...sentGroup, id: group_id, meta: group.meta }] },
  },
  scim_createGroup: {
    params: org,
    query: {},
    body: { ...sentGroup, externalId: 'a3d1', displayName: 'Chemists', members },
    response: { ...group, externalId: 'a3d1', displayName: 'Chemists' },
  },
  scim_getGroup: { params: { ...org, group_id }, query: {}, response: group },
  scim_replaceGroup: {
    params: { ...org, group_id },
    query: {},
    body: { ...sentGroup, externalId: 'a3d2', members },
    response: { ...group, externalId: 'a3d2' },
  },
  scim_patchGroup: {
    params: { ...org, group_id },
    body: { schemas: patch, Operations: [{ op: 'remove', path: `members[value eq "${user_id}"]` }] },
  },
  scim_deleteGroup: { params: { ...org, group_id } },
} satisfies EndpointExamples<typeof import('./scim.contract.ts')>;
