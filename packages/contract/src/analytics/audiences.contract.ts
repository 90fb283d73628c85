import { empty, endpoint, json } from '../endpoint/index.ts';
import { Type } from '../type.ts';
import { AppPath, at, Count, reading, Time } from './query-range.ts';

export const customPropertyTypes = ['string', 'number', 'boolean', 'date_time'] as const;
const PropertyType = Type.Enum([...customPropertyTypes]);

/** The device properties that audiences can compare. Those of type `number` have an order. */
export const devicePropertyTypes = {
  AppVersion: 'string',
  CarrierCountry: 'string',
  CarrierName: 'string',
  Language: 'string',
  Model: 'string',
  OemName: 'string',
  OsVersion: 'string',
  ScreenSize: 'string',
  ApiLevel: 'number',
} as const satisfies Record<string, (typeof customPropertyTypes)[number]>;

const CustomProperties = Type.Record(Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,127}$' }), PropertyType, {
  maxProperties: 60,
  description: 'The types of the custom properties in the definition, by name.',
});
const PropertyTypes = Type.Object({ values: Type.Record(Type.String(), PropertyType) });

const Definition = Type.String({
  minLength: 1,
  maxLength: 2000,
  description:
    "The devices to include: comparisons such as `AppVersion ge '1.10' and CarrierCountry ne 'KP'` with `eq`, `ne`, `lt`, `le`, `gt`, `ge`, joined by `and`, `or`, `not` and parentheses. Versions are compared by their numbers. Compares the latest values of each device.",
});

const AudienceChange = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 128 })),
    definition: Definition,
    enabled: Type.Optional(
      Type.Boolean({ default: true, description: 'Devices of disabled audiences are not counted.' }),
    ),
    custom_properties: Type.Optional(CustomProperties),
  },
  { $id: 'AudienceChange' },
);

const shown = {
  name: Type.String(),
  description: Type.String(),
  estimated_count: Type.Optional(Type.Integer({ minimum: 0, description: 'The exact number of matching devices.' })),
  definition: Type.String(),
  state: Type.Enum(['Calculating', 'Ready', 'Disabled']),
};

const Audience = Type.Object(
  {
    ...shown,
    enabled: Type.Boolean(),
    custom_properties: Type.Record(Type.String(), PropertyType),
    estimated_total_count: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of all devices.' })),
    timestamp: Time,
  },
  { $id: 'Audience' },
);

const audiences = `${at}/audiences`;
const params = Type.Object(AppPath);
const AudiencePath = Type.Object({ ...AppPath, audience_name: Type.String({ minLength: 1, maxLength: 128 }) });
const named = { params: AudiencePath, path: `${audiences}/{audience_name}` } as const;
const changing = { ...reading, access: 'app:developer', effect: 'change' } as const;

export const Analytics_ListAudiences = endpoint({
  ...reading,
  id: 'Analytics_ListAudiences',
  path: audiences,
  summary: 'List audiences with their number of devices',
  params,
  query: Type.Object({
    include_disabled: Type.Optional(Type.Boolean({ description: 'Include disabled audiences.' })),
  }),
  response: json(Type.Object({ values: Type.Array(Type.Object(shown)), nextLink: Type.Optional(Type.String()) }), {
    description: 'The audiences, sorted by name.',
  }),
});

export const Analytics_TestAudience = endpoint({
  ...reading,
  id: 'Analytics_TestAudience',
  method: 'POST',
  path: `${audiences}/definition/test`,
  summary: 'Count the devices that a definition matches, without saving it',
  params,
  request: json(AudienceChange),
  response: json(
    Type.Object({
      definition: Type.String(),
      custom_properties: Type.Record(Type.String(), PropertyType),
      estimated_count: Count,
      estimated_total_count: Count,
    }),
    { description: 'The number of matching devices, and of all devices.' },
  ),
});

export const Analytics_ListCustomProperties = endpoint({
  ...reading,
  id: 'Analytics_ListCustomProperties',
  path: `${audiences}/metadata/custom_properties`,
  summary: 'List the custom properties that the app sets for its devices',
  params,
  response: json(PropertyTypes, { description: 'The latest type of each property.' }),
});

export const Analytics_ListDeviceProperties = endpoint({
  ...reading,
  id: 'Analytics_ListDeviceProperties',
  path: `${audiences}/metadata/device_properties`,
  summary: 'List the device properties that audiences can use',
  params,
  response: json(PropertyTypes, { description: 'The type of each property.' }),
});

export const Analytics_ListDevicePropertyValues = endpoint({
  ...reading,
  id: 'Analytics_ListDevicePropertyValues',
  path: `${audiences}/metadata/device_properties/{property_name}/values`,
  summary: 'List the values of a device property',
  params: Type.Object({ ...AppPath, property_name: Type.String({ minLength: 1, maxLength: 64 }) }),
  query: Type.Object({
    contains: Type.Optional(
      Type.String({ maxLength: 256, description: 'Only values that contain this text, ignoring case.' }),
    ),
  }),
  response: json(Type.Object({ values: Type.Array(Type.String()) }), {
    description: 'The values in order, at most 2,000. Use `contains` to find others.',
  }),
});

export const Analytics_AudienceNameExists = endpoint({
  ...reading,
  ...named,
  id: 'Analytics_AudienceNameExists',
  method: 'HEAD',
  summary: 'Check whether an audience exists',
  response: empty({ description: 'The audience exists. Otherwise 404.' }),
});

export const Analytics_GetAudience = endpoint({
  ...reading,
  ...named,
  id: 'Analytics_GetAudience',
  summary: 'Get an audience',
  response: json(Audience, { description: 'The audience.' }),
});

export const Analytics_CreateOrUpdateAudience = endpoint({
  ...changing,
  ...named,
  id: 'Analytics_CreateOrUpdateAudience',
  method: 'PUT',
  summary: 'Create or replace an audience',
  request: json(AudienceChange),
  response: json(Audience, { description: 'The audience.' }),
  errors: [400, 403, 404, 409],
});

export const Analytics_DeleteAudience = endpoint({
  ...changing,
  ...named,
  id: 'Analytics_DeleteAudience',
  method: 'DELETE',
  summary: 'Delete an audience',
  response: empty({ description: 'Deleted.' }),
});
