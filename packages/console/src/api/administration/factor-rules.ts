import {
  adminFactorRule_delete,
  adminFactorRule_get,
  adminFactorRule_preview,
  adminFactorRule_set,
  type EndpointOutput,
  orgFactorRule_delete,
  orgFactorRule_get,
  orgFactorRule_preview,
  orgFactorRule_set,
} from '@mooring/contract';
import { call, useChange, usePages, useRead } from '../client.ts';

export type FactorPerson = EndpointOutput<typeof adminFactorRule_preview>['values'][number];

/** The organization of a rule; undefined for the rule of the server. */
type Org = string | undefined;

const ruleKey = (org: Org) => ['second factor rule', org ?? null];

export const useFactorRule = (org: Org) =>
  useRead(ruleKey(org), () =>
    org === undefined ? call(adminFactorRule_get) : call(orgFactorRule_get, { params: { org_name: org } }),
  );

/** The effect that a rule would have on each person. */
export const useFactorRulePreview = (org: Org) =>
  usePages<FactorPerson>([...ruleKey(org), 'preview'], (cursor) => {
    const query = { cursor };
    return org === undefined
      ? call(adminFactorRule_preview, { query })
      : call(orgFactorRule_preview, { params: { org_name: org }, query });
  });

export const useSetFactorRule = (org: Org) =>
  useChange(
    (grace_days: number) =>
      org === undefined
        ? call(adminFactorRule_set, { body: { grace_days } })
        : call(orgFactorRule_set, { params: { org_name: org }, body: { grace_days } }),
    ruleKey(org),
  );

export const useDeleteFactorRule = (org: Org) =>
  useChange(
    (_from: string) =>
      org === undefined ? call(adminFactorRule_delete) : call(orgFactorRule_delete, { params: { org_name: org } }),
    ruleKey(org),
  );
