import {
  billingAggregatedInformation_getByApp,
  billingAggregatedInformation_getForOrg,
  type OutputOf,
} from '@mooring/contract';
import { type AppRef, appKey } from './apps.ts';
import { call, useRead } from './client.ts';

export type Usage = OutputOf<typeof billingAggregatedInformation_getByApp>;
export type Period = 'Current' | 'Previous';

export const useAppUsage = (params: AppRef, period: Period) =>
  useRead([...appKey(params), 'usage', period], () =>
    call(billingAggregatedInformation_getByApp, { params, query: { period } }),
  );

export const useOrgUsage = (org_name: string, period: Period) =>
  useRead(['org', org_name, 'usage', period], () =>
    call(billingAggregatedInformation_getForOrg, { params: { org_name }, query: { period } }),
  );
