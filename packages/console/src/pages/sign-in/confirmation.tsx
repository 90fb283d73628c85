import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isCanceled, useConfirmIdentity } from '../../api/account/passkeys.ts';
import { useSignInProviders } from '../../api/account/sign-in.ts';
import { confirmer } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { PasswordField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { withQuery } from '../../paths.ts';
import { CodeField, readCode } from './code-field.tsx';
import { supportsPasskeys } from './passkey-button.tsx';

interface Waiting {
  resolve: () => void;
  reject: () => void;
}

/** Asks who the person is before a request that needs it; the request is then repeated. */
export default function Confirmation() {
  const [waiting, setWaiting] = useState<Waiting[]>([]);
  useEffect(() => {
    // Requests at the same time share one dialog.
    confirmer.confirm = () =>
      new Promise<void>((resolve, reject) => setWaiting((others) => [...others, { resolve, reject }]));
    return () => {
      delete confirmer.confirm;
    };
  }, []);
  const finish = (end: (one: Waiting) => void) => {
    waiting.forEach(end);
    setWaiting([]);
  };
  return (
    <Dialog opened={waiting.length > 0} onClose={() => finish(({ reject }) => reject())} title="Confirm it's you">
      {waiting.length > 0 && <Proof onDone={() => finish(({ resolve }) => resolve())} />}
    </Dialog>
  );
}

function Proof({ onDone }: { onDone: () => void }) {
  const confirmation = useConfirmIdentity();
  const { data: providers = [] } = useSignInProviders();
  const error = isCanceled(confirmation.error) ? null : confirmation.error;
  const here = window.location.pathname + window.location.search;
  return (
    <Stack>
      <Text size="sm">This needs a sign-in or a confirmation in the last 5 minutes.</Text>
      <Form
        action="Confirm"
        isFleeting
        sending={{ isPending: confirmation.isPending, error }}
        onSend={(fields) =>
          confirmation.mutate({ password: fields.secret('password'), ...readCode(fields) }, { onSuccess: onDone })
        }
      >
        <PasswordField
          name="password"
          label="Your password"
          rule={{ isRequired: true }}
          autoComplete="current-password"
          data-autofocus
        />
        <CodeField error={confirmation.error} />
      </Form>
      {supportsPasskeys() && (
        <Button variant="default" onClick={() => confirmation.mutate('passkey', { onSuccess: onDone })}>
          Use a passkey
        </Button>
      )}
      {providers.map(({ name, display_name, url }) => (
        <Anchor key={name} href={withQuery(url, { next: here, again: 'true' })} size="sm">
          Sign in again with {display_name}
        </Anchor>
      ))}
    </Stack>
  );
}
