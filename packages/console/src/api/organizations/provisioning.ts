import {
  adminOrgDomains_set,
  type EndpointOutput,
  orgProvisioning_get,
  orgScimTokens_create,
  orgScimTokens_delete,
  orgScimTokens_list,
} from '@mooring/contract';
import { useMutation } from '@tanstack/react-query';
import { call, queries, useChange, useRead } from '../client.ts';
import { orgKey } from './orgs.ts';

export type ScimToken = EndpointOutput<typeof orgScimTokens_list>[number];

const provisioningKey = (org: string) => [...orgKey(org), 'provisioning'];

export const useProvisioning = (org_name: string) =>
  useRead(provisioningKey(org_name), () => call(orgProvisioning_get, { params: { org_name } }));

export const useScimTokens = (org_name: string) =>
  useRead([...provisioningKey(org_name), 'tokens'], () => call(orgScimTokens_list, { params: { org_name } }));

/** The response contains the token's value; see `useCreateToken`. */
export const useCreateScimToken = (org_name: string) =>
  useMutation({
    mutationFn: (description: string | undefined) =>
      call(orgScimTokens_create, { params: { org_name }, body: { description } }),
    gcTime: 0,
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: provisioningKey(org_name) });
    },
  });

export const useDeleteScimToken = (org_name: string) =>
  useChange(
    ({ id }: ScimToken) => call(orgScimTokens_delete, { params: { org_name, scim_token_id: id } }),
    provisioningKey(org_name),
  );

export const useSetOrgDomains = (org_name: string) =>
  useChange(
    (domains: string[]) => call(adminOrgDomains_set, { params: { org_name }, body: { domains } }),
    provisioningKey(org_name),
  );
