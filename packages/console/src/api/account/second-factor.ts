import {
  adminSecondFactor_delete,
  type EndpointInput,
  factorSetUp_confirm,
  factorSetUp_start,
  secondFactor_confirm,
  secondFactor_disable,
  secondFactor_get,
  secondFactor_renewCodes,
  secondFactor_start,
} from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

type Proof = EndpointInput<typeof secondFactor_disable>['body'];

const FACTOR = ['second factor'];

export const useSecondFactor = () => useRead(FACTOR, () => call(secondFactor_get));

/** The response is shown once: take it and call reset(), so that nothing keeps it. */
export const useStartSecondFactor = () =>
  useChange((password: string) => call(secondFactor_start, { body: { password } }));

export const useConfirmSecondFactor = () =>
  useChange((code: string) => call(secondFactor_confirm, { body: { code } }), ['sessions']);

export const useRenewRecoveryCodes = () => useChange((body: Proof) => call(secondFactor_renewCodes, { body }));

export const useDisableSecondFactor = () => useChange((body: Proof) => call(secondFactor_disable, { body }), FACTOR);

/** At a sign-in that needs a second factor. */
export const useStartAtSignIn = () =>
  useChange((body: EndpointInput<typeof factorSetUp_start>['body']) => call(factorSetUp_start, { body }));

export const useConfirmAtSignIn = () =>
  useChange((body: EndpointInput<typeof factorSetUp_confirm>['body']) => call(factorSetUp_confirm, { body }));

export const useRemoveSecondFactor = () =>
  useChange((userId: string) => call(adminSecondFactor_delete, { params: { user_id: userId } }));
