import {
  adminQuotas_list,
  adminQuotas_set,
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, usePages, useRead } from '../client.ts';

export type Usage = EndpointOutput<typeof billingAggregatedInformation_getByApp>;
export type Period = 'Current' | 'Previous';

export const useAppUsage = (params: AppRef, period: Period) =>
  useRead([...appKey(params), 'usage', period], () =>
    call(billingAggregatedInformation_getByApp, { params, query: { period } }),
  );

export const useOrgUsage = (org_name: string, period: Period) =>
  useRead(['org', org_name, 'usage', period], () =>
    call(billingAggregatedInformation_getForOrg, { params: { org_name }, query: { period } }),
  );

export type AccountQuotas = EndpointOutput<typeof adminQuotas_list>['values'][number];
type QuotasQuery = Pick<EndpointInput<typeof adminQuotas_list>['query'], 'search' | 'sort' | 'order'>;

export const useQuotas = (query: QuotasQuery) =>
  usePages<AccountQuotas>(['admin', 'quotas', query], (cursor) =>
    call(adminQuotas_list, { query: { ...query, cursor } }),
  );

export const useSetQuotas = () =>
  useChange(
    ({ name, quotas }: { name: string; quotas: AccountQuotas['quotas'] }) =>
      call(adminQuotas_set, { params: { name }, body: quotas }),
    ['admin', 'quotas'],
  );
