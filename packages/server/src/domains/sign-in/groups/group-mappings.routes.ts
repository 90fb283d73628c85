import { adminGroupMappings_create, adminGroupMappings_delete, adminGroupMappings_list } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { createMapping, deleteMapping, type GroupMapping, listProviderMappings } from './group-mappings.ts';

const toWire = (mapping: GroupMapping) => ({
  id: mapping.id,
  group: mapping.providerGroup,
  organization: mapping.org.name,
  role: mapping.role,
  team: mapping.team?.name,
  distribution_group: mapping.group?.name,
  created_at: toIso(mapping.createdAt),
});

export const groupMappingRoutes = [
  route(adminGroupMappings_list, async (ctx, { params }) =>
    (await listProviderMappings(ctx, params.provider_name)).map(toWire),
  ),
  route(adminGroupMappings_create, async (ctx, { params, body }) =>
    toWire(
      await createMapping(ctx, params.provider_name, {
        providerGroup: body.group,
        organization: body.organization,
        role: body.role,
        team: body.team,
        distributionGroup: body.distribution_group,
      }),
    ),
  ),
  route(adminGroupMappings_delete, (ctx, { params }) => deleteMapping(ctx, params.provider_name, params.mapping_id)),
];
