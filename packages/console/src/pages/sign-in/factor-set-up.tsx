import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useConfirmAtSignIn, useStartAtSignIn } from '../../api/account/second-factor.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { QrImage } from '../../components/images/qr-image.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';

/** Sets up a second factor that a rule requires, and signs in. */
export default function FactorSetUp({ account }: { account: { login: string; password: string } }) {
  const starting = useStartAtSignIn();
  const confirming = useConfirmAtSignIn();
  const [codes, setCodes] = useState<string[]>();
  if (codes) {
    return (
      <SecretValue
        secrets={[['Recovery codes', codes.join(' ')]]}
        warning="Copy the codes now. You can't see them again. Each works once if you don't have your authenticator app."
        onClose={() => window.location.reload()}
      />
    );
  }
  const started = starting.data;
  if (!started) {
    return (
      <Form action="Set up second factor" isFleeting sending={starting} onSend={() => starting.mutate(account)}>
        <Text>Your account needs an authenticator app as second factor. Set it up now to sign in.</Text>
      </Form>
    );
  }
  return (
    <Stack>
      <Text size="sm">Scan the code with your authenticator app, or enter the secret {started.secret}.</Text>
      <QrImage value={started.url} label="QR code for your authenticator app" size={200} />
      <Form
        action="Turn on and sign in"
        isFleeting
        sending={confirming}
        onSend={(fields) =>
          confirming.mutate(
            { ...account, code: fields.text('code') ?? '' },
            { onSuccess: ({ recovery_codes }) => setCodes(recovery_codes) },
          )
        }
      >
        <TextField name="code" label="Code" rule={{ isRequired: true }} autoComplete="one-time-code" autoFocus />
      </Form>
    </Stack>
  );
}
