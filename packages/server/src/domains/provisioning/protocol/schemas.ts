import type { Attribute } from './attributes.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

const id: Attribute = {
  name: 'id',
  type: 'string',
  description: 'The ID on this server.',
  isExact: true,
  isUnique: true,
  isReadOnly: true,
};
const externalId: Attribute = {
  name: 'externalId',
  type: 'string',
  description: 'The ID in the directory.',
  isExact: true,
};

export const userAttributes: readonly Attribute[] = [
  id,
  externalId,
  {
    name: 'userName',
    type: 'string',
    description: 'The name in the directory, usually an email address. Not the name of the account on this server.',
    isRequired: true,
    isUnique: true,
  },
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    parts: [
      { name: 'formatted', type: 'string', description: 'The whole name.' },
      { name: 'familyName', type: 'string', description: 'The last name.' },
      { name: 'givenName', type: 'string', description: 'The first name.' },
    ],
  },
  { name: 'displayName', type: 'string', description: 'The name to show.' },
  {
    name: 'emails',
    type: 'complex',
    isList: true,
    description: 'Email addresses. The account has the primary one.',
    parts: [
      { name: 'value', type: 'string', description: 'The address.' },
      { name: 'type', type: 'string', description: 'The kind of address, such as work.' },
      { name: 'primary', type: 'boolean', description: 'Whether the account has this address.' },
    ],
  },
  { name: 'active', type: 'boolean', description: 'False if the user has no access.' },
];

export const groupAttributes: readonly Attribute[] = [
  id,
  externalId,
  { name: 'displayName', type: 'string', description: 'The name of the team.', isRequired: true, isUnique: true },
];

const members: Attribute = {
  name: 'members',
  type: 'complex',
  isList: true,
  description: 'Users in the team.',
  parts: [
    { name: 'value', type: 'string', description: 'The ID of a user.' },
    { name: '$ref', type: 'reference', description: 'The URL of the user.', isReadOnly: true },
    { name: 'display', type: 'string', description: 'The name of the user.', isReadOnly: true },
  ],
};

/** Texts that differ by case, by the path in lower case. */
export const exactPaths: ReadonlySet<string> = new Set(['id', 'externalid']);

interface SchemaAttribute {
  name: string;
  type: string;
  multiValued: boolean;
  description: string;
  required: boolean;
  caseExact: boolean;
  mutability: 'readOnly' | 'readWrite';
  returned: 'always' | 'default';
  uniqueness: 'server' | 'none';
  subAttributes?: SchemaAttribute[];
}

const describe = (attribute: Attribute): SchemaAttribute => ({
  name: attribute.name,
  type: attribute.type,
  multiValued: attribute.isList === true,
  description: attribute.description,
  required: attribute.isRequired === true,
  caseExact: attribute.isExact === true,
  mutability: attribute.isReadOnly ? 'readOnly' : 'readWrite',
  returned: attribute.name === 'id' ? 'always' : 'default',
  uniqueness: attribute.isUnique ? 'server' : 'none',
  ...(attribute.parts ? { subAttributes: attribute.parts.map(describe) } : {}),
});

/** The documents of /Schemas, without their URLs. */
export const schemas = [
  { id: USER_SCHEMA, name: 'User', description: 'A user.', attributes: userAttributes.map(describe) },
  { id: GROUP_SCHEMA, name: 'Group', description: 'A team.', attributes: [...groupAttributes, members].map(describe) },
];
