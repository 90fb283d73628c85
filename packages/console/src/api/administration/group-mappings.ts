import {
  adminGroupMappings_create,
  adminGroupMappings_delete,
  adminGroupMappings_list,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

export type GroupMapping = EndpointOutput<typeof adminGroupMappings_list>[number];
export type NewMapping = EndpointInput<typeof adminGroupMappings_create>['body'];

const mappingsKey = (provider: string) => ['admin', 'group mappings', provider];

export const useGroupMappings = (provider: string) =>
  useRead(mappingsKey(provider), () => call(adminGroupMappings_list, { params: { provider_name: provider } }));

export const useCreateMapping = (provider: string) =>
  useChange(
    (body: NewMapping) => call(adminGroupMappings_create, { params: { provider_name: provider }, body }),
    mappingsKey(provider),
  );

export const useDeleteMapping = (provider: string) =>
  useChange(
    ({ id }: GroupMapping) => call(adminGroupMappings_delete, { params: { provider_name: provider, mapping_id: id } }),
    mappingsKey(provider),
  );
