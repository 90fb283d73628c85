import {
  Analytics_AudienceNameExists,
  Analytics_CreateOrUpdateAudience,
  Analytics_DeleteAudience,
  Analytics_GetAudience,
  Analytics_ListAudiences,
  Analytics_ListCustomProperties,
  Analytics_ListDeviceProperties,
  Analytics_ListDevicePropertyValues,
  Analytics_TestAudience,
  devicePropertyTypes,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import {
  checkAudience,
  deleteAudience,
  getAudience,
  listAudiences,
  listCustomProperties,
  listDeviceValues,
  saveAudienceAs,
  testAudience,
} from './audiences.ts';

type Counted = Awaited<ReturnType<typeof getAudience>>;

const shown = ({ name, description, definition, isEnabled, counts }: Counted) => ({
  name,
  description,
  definition,
  state: isEnabled ? ('Ready' as const) : ('Disabled' as const),
  ...(counts ? { estimated_count: counts.count } : {}),
});

const toWire = (audience: Counted) => ({
  ...shown(audience),
  enabled: audience.isEnabled,
  custom_properties: audience.custom,
  ...(audience.counts ? { estimated_total_count: audience.counts.total } : {}),
  timestamp: toIso(audience.changedAt),
});

export const audienceRoutes = [
  route(Analytics_ListAudiences, async (ctx, { query }) => ({
    values: (await listAudiences(ctx, { withDisabled: query.include_disabled === true })).map(shown),
  })),
  route(Analytics_TestAudience, async (ctx, { body }) => {
    const { definition, custom, count, total } = await testAudience(ctx, body);
    return { definition, custom_properties: custom, estimated_count: count, estimated_total_count: total };
  }),
  route(Analytics_ListCustomProperties, async (ctx) => ({
    values: Object.fromEntries((await listCustomProperties(ctx)).map(({ name, type }) => [name, type])),
  })),
  route(Analytics_ListDeviceProperties, async () => ({ values: devicePropertyTypes })),
  route(Analytics_ListDevicePropertyValues, async (ctx, { params, query }) => ({
    values: await listDeviceValues(ctx, params.property_name, query.contains),
  })),
  route(Analytics_AudienceNameExists, (ctx, { params }) => checkAudience(ctx, params.audience_name)),
  route(Analytics_GetAudience, async (ctx, { params }) => toWire(await getAudience(ctx, params.audience_name))),
  route(Analytics_CreateOrUpdateAudience, async (ctx, { params, body }) =>
    toWire(await saveAudienceAs(ctx, params.audience_name, body)),
  ),
  route(Analytics_DeleteAudience, (ctx, { params }) => deleteAudience(ctx, params.audience_name)),
];
