import {
  confirmations_create,
  type EndpointInput,
  type EndpointOutput,
  passkeySignIn_complete,
  passkeySignIn_start,
  passkeys_create,
  passkeys_delete,
  passkeys_list,
  passkeys_start,
  passkeys_update,
} from '@mooring/contract';
import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { useMutation } from '@tanstack/react-query';
import { call, ME, queries, useChange, useRead } from '../client.ts';

export type Passkey = EndpointOutput<typeof passkeys_list>[number];

const PASSKEYS = ['passkeys'];

/** Loaded when it is needed, because the first page must stay small. */
const loadWebAuthn = () => import('@simplewebauthn/browser');

/** The person closed the dialog of the browser, which is no error. */
export const isCanceled = (error: unknown): boolean =>
  error instanceof Error && ['NotAllowedError', 'AbortError'].includes(error.name);

/** Asks the browser for a passkey. With `autofill`, in the suggestions of the name field. */
export async function requestPasskey({ autofill = false } = {}): Promise<Record<string, unknown>> {
  const { startAuthentication } = await loadWebAuthn();
  const { options } = await call(passkeySignIn_start, { body: {} });
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return { ...(await startAuthentication({ optionsJSON, useBrowserAutofill: autofill })) };
}

export const canAutofill = async (): Promise<boolean> => (await loadWebAuthn()).browserSupportsWebAuthnAutofill();

/** Ends a request for a passkey that the browser still shows. */
export const cancelPasskey = async (): Promise<void> => (await loadWebAuthn()).WebAuthnAbortService.cancelCeremony();

export const usePasskeySignIn = () =>
  useMutation({
    mutationFn: async (options: { autofill?: boolean }) =>
      call(passkeySignIn_complete, { body: { credential: await requestPasskey(options) } }),
    gcTime: 0,
    onSuccess: (user) => queries.setQueryData(ME, user),
  });

export const usePasskeys = () => useRead(PASSKEYS, () => call(passkeys_list));

async function createPasskey(name: string): Promise<Passkey> {
  const { startRegistration } = await loadWebAuthn();
  const { options } = await call(passkeys_start, { body: {} });
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const credential = { ...(await startRegistration({ optionsJSON })) };
  return call(passkeys_create, { body: { name, credential } });
}

export const useCreatePasskey = () => useChange(createPasskey, PASSKEYS);

export const useRenamePasskey = ({ id }: Passkey) =>
  useChange((name: string) => call(passkeys_update, { params: { passkey_id: id }, body: { name } }), PASSKEYS);

export const useDeletePasskey = () =>
  useChange(({ id }: Passkey) => call(passkeys_delete, { params: { passkey_id: id } }), PASSKEYS);

type Proof = EndpointInput<typeof confirmations_create>['body'] | 'passkey';

export const useConfirmIdentity = () =>
  useMutation({
    mutationFn: async (proof: Proof) =>
      call(confirmations_create, {
        body: proof === 'passkey' ? { credential: await requestPasskey() } : proof,
      }),
    gcTime: 0,
  });
