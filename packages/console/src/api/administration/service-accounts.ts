import {
  type EndpointInput,
  type EndpointOutput,
  serviceAccounts_create,
  serviceAccounts_delete,
  serviceAccounts_list,
} from '@mooring/contract';
import { call, useArranged, useChange } from '../client.ts';

export type ServiceAccount = EndpointOutput<typeof serviceAccounts_list>[number];

const accountsKey = (org: string) => ['org', org, 'service accounts'];
const membersKey = (org: string) => ['org', org, 'members'];

export const useServiceAccounts = (org_name: string, query: EndpointInput<typeof serviceAccounts_list>['query']) =>
  useArranged(accountsKey(org_name), query, (page) =>
    call(serviceAccounts_list, { params: { org_name }, query: page }),
  );

export const useCreateServiceAccount = (org_name: string) =>
  useChange(
    (body: EndpointInput<typeof serviceAccounts_create>['body']) =>
      call(serviceAccounts_create, { params: { org_name }, body }),
    accountsKey(org_name),
    membersKey(org_name),
  );

export const useDeleteServiceAccount = (org_name: string) =>
  useChange(
    (account_name: string) => call(serviceAccounts_delete, { params: { org_name, account_name } }),
    accountsKey(org_name),
    membersKey(org_name),
  );
