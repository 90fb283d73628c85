import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useEffect } from 'react';
import { canAutofill, cancelPasskey, isCanceled, usePasskeySignIn } from '../../api/account/passkeys.ts';
import { Failure } from '../../components/feedback/failure.tsx';

export const supportsPasskeys = (): boolean => typeof window.PublicKeyCredential === 'function';

/** Signs in with a passkey: by the button, or by the suggestions of the name field. */
export function PasskeyButton() {
  const { mutate, isPending, variables, error } = usePasskeySignIn();
  useEffect(() => {
    let isOpen = true;
    void canAutofill()
      .then((isPossible) => {
        if (isPossible && isOpen) mutate({ autofill: true });
      })
      .catch(() => undefined);
    return () => {
      isOpen = false;
      void cancelPasskey();
    };
  }, [mutate]);
  if (!supportsPasskeys()) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconFingerprint size={16} aria-hidden />}
        loading={isPending && !variables.autofill}
        onClick={() => mutate({})}
      >
        Sign in with a passkey
      </Button>
      {error && !isCanceled(error) && <Failure error={error} title="Couldn't sign in with the passkey" />}
    </>
  );
}
