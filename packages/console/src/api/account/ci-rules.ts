import {
  ciRules_create,
  ciRules_delete,
  ciRules_list,
  type EndpointInput,
  type EndpointOutput,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';

export type CiRule = EndpointOutput<typeof ciRules_create>;

const rulesKey = (app: AppRef) => [...appKey(app), 'CI rules'];

export const useCiRules = (params: AppRef) => useRead(rulesKey(params), () => call(ciRules_list, { params }));

export const useCreateCiRule = (params: AppRef) =>
  useChange(
    (body: EndpointInput<typeof ciRules_create>['body']) => call(ciRules_create, { params, body }),
    rulesKey(params),
  );

export const useDeleteCiRule = (params: AppRef) =>
  useChange(({ id }: CiRule) => call(ciRules_delete, { params: { ...params, ci_rule_id: id } }), rulesKey(params));
