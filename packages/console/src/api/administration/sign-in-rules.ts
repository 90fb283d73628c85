import {
  adminSignInRule_delete,
  adminSignInRule_get,
  adminSignInRule_preview,
  adminSignInRule_set,
  type EndpointOutput,
  orgSignInRule_delete,
  orgSignInRule_get,
  orgSignInRule_preview,
  orgSignInRule_set,
} from '@mooring/contract';
import { call, useChange, usePages, useRead } from '../client.ts';

export type RuleEffect = EndpointOutput<typeof adminSignInRule_preview>['values'][number];

/** The organization of a rule; undefined for the rule of the server. */
type Org = string | undefined;

const ruleKey = (org: Org) => ['sign-in rule', org ?? null];

export const useSignInRule = (org: Org) =>
  useRead(ruleKey(org), () =>
    org === undefined ? call(adminSignInRule_get) : call(orgSignInRule_get, { params: { org_name: org } }),
  );

/** The effect that a rule would have on each person. */
export const useSignInRulePreview = (org: Org, provider: string) =>
  usePages<RuleEffect>([...ruleKey(org), 'preview', provider], (cursor) => {
    const query = { provider, cursor };
    return org === undefined
      ? call(adminSignInRule_preview, { query })
      : call(orgSignInRule_preview, { params: { org_name: org }, query });
  });

export const useSetSignInRule = (org: Org) =>
  useChange(
    (provider: string) =>
      org === undefined
        ? call(adminSignInRule_set, { body: { provider } })
        : call(orgSignInRule_set, { params: { org_name: org }, body: { provider } }),
    ruleKey(org),
  );

export const useDeleteSignInRule = (org: Org) =>
  useChange(
    (_provider: string) =>
      org === undefined ? call(adminSignInRule_delete) : call(orgSignInRule_delete, { params: { org_name: org } }),
    ruleKey(org),
  );
