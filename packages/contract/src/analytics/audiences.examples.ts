import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const audience = { ...params, audience_name: 'Early birds' };
const definition = "AppVersion ge '1.4' and plan eq 'pro'";
const custom_properties = { plan: 'string' } as const;
const body = { description: 'Paying users on the newest version', definition, custom_properties };
const counts = { estimated_count: 12, estimated_total_count: 131 };
const shown = {
  ...body,
  ...counts,
  name: 'Early birds',
  state: 'Ready',
  enabled: true,
  timestamp: '2026-11-01T09:00:00.000Z',
} as const;

export const audiencesExamples = {
  Analytics_ListAudiences: {
    params,
    query: {},
    response: {
      values: [{ name: shown.name, description: shown.description, estimated_count: 12, definition, state: 'Ready' }],
    },
  },
  Analytics_TestAudience: {
    params,
    body: { definition, custom_properties },
    response: { definition, custom_properties, ...counts },
  },
  Analytics_ListCustomProperties: { params, response: { values: { plan: 'string', age: 'number' } } },
  Analytics_ListDeviceProperties: { params, response: { values: { AppVersion: 'string', ApiLevel: 'number' } } },
  Analytics_ListDevicePropertyValues: {
    params: { ...params, property_name: 'Model' },
    query: { contains: 'pix' },
    response: { values: ['Pixel 7', 'Pixel 8'] },
  },
  Analytics_AudienceNameExists: { params: audience },
  Analytics_GetAudience: { params: audience, response: shown },
  Analytics_CreateOrUpdateAudience: { params: audience, body, response: shown },
  Analytics_DeleteAudience: { params: audience },
} satisfies EndpointExamples<typeof import('./audiences.contract.ts')>;
