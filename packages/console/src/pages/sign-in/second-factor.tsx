import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { secondFactor_start } from '@mooring/contract';
import { useState } from 'react';
import {
  useConfirmSecondFactor,
  useDisableSecondFactor,
  useRenewRecoveryCodes,
  useSecondFactor,
  useStartSecondFactor,
} from '../../api/account/second-factor.ts';
import { queries } from '../../api/client.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { PasswordField, TextField } from '../../components/forms/fields.tsx';
import { type Fields, Form } from '../../components/forms/form.tsx';
import { QrImage } from '../../components/images/qr-image.tsx';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { Time } from '../../components/text/time.tsx';

const rules = getBodyRules(secondFactor_start);

type Opened = 'enable' | 'renew' | 'disable';
const titles: Record<Opened, string> = {
  enable: 'Set up second factor',
  renew: 'Replace recovery codes',
  disable: 'Turn off second factor',
};

/** Codes of an authenticator app, in addition to the password. */
export function SecondFactor() {
  const factor = useSecondFactor();
  const [opened, setOpened] = useState<Opened>();
  const close = () => {
    setOpened(undefined);
    void queries.invalidateQueries({ queryKey: ['second factor'] });
  };
  return (
    <Stack>
      <Title order={2} size="h4">
        Second factor
      </Title>
      <QueryBoundary query={factor}>
        {({ is_enabled, recovery_codes_left, required_from }) =>
          is_enabled ? (
            <>
              <Text>
                Sign-in with your password needs a code of your authenticator app. You have {recovery_codes_left} unused
                recovery codes.
              </Text>
              <Group>
                <Button variant="default" onClick={() => setOpened('renew')}>
                  Replace recovery codes
                </Button>
                <Button variant="default" onClick={() => setOpened('disable')}>
                  Turn off second factor
                </Button>
              </Group>
            </>
          ) : (
            <>
              <Text c="dimmed">
                Protect your account with codes of an authenticator app, in addition to your password.
              </Text>
              {required_from && (
                <Text>
                  Your account needs a second factor: an authenticator app, or a passkey. End of the grace period:{' '}
                  <Time at={required_from} />.
                </Text>
              )}
              <Group>
                <Button onClick={() => setOpened('enable')}>Set up second factor</Button>
              </Group>
            </>
          )
        }
      </QueryBoundary>
      <Dialog opened={opened !== undefined} onClose={close} title={opened ? titles[opened] : ''}>
        {opened === 'enable' && <Enable onClose={close} />}
        {opened === 'renew' && <Renew onClose={close} />}
        {opened === 'disable' && <Disable onClose={close} />}
      </Dialog>
    </Stack>
  );
}

interface StepProps {
  onClose: () => void;
}

const OwnPassword = () => (
  <PasswordField
    name="password"
    label="Password"
    rule={rules('password')}
    autoComplete="current-password"
    data-autofocus
  />
);

const Code = ({ description }: { description: string }) => (
  <TextField
    name="code"
    label="Code"
    description={description}
    rule={{ isRequired: true }}
    autoComplete="one-time-code"
    inputMode="text"
  />
);

function RecoveryCodes({ codes, onClose }: StepProps & { codes: string[] }) {
  return (
    <SecretValue
      secrets={[['Recovery codes', codes.join(' ')]]}
      warning="Copy the codes now. You can't see them again after closing this dialog. Each works once if you don't have your authenticator app."
      onClose={onClose}
    />
  );
}

function Enable({ onClose }: StepProps) {
  const starting = useStartSecondFactor();
  const confirming = useConfirmSecondFactor();
  // The secret and the codes exist only in this dialog's state.
  const [started, setStarted] = useState<{ secret: string; url: string }>();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (!started) {
    return (
      <Form
        key="password"
        action="Continue"
        isFleeting
        sending={starting}
        onCancel={onClose}
        onSend={(fields) =>
          starting.mutate(fields.secret('password'), {
            onSuccess: (made) => {
              setStarted(made);
              starting.reset();
            },
          })
        }
      >
        <OwnPassword />
      </Form>
    );
  }
  return (
    <Form
      key="code"
      action="Turn on second factor"
      isFleeting
      sending={confirming}
      onCancel={onClose}
      onSend={(fields) =>
        confirming.mutate(fields.text('code') ?? '', {
          onSuccess: ({ recovery_codes }) => {
            setCodes(recovery_codes);
            confirming.reset();
          },
        })
      }
    >
      <Text>Scan the QR code with your authenticator app, or enter the secret there.</Text>
      <Group justify="center">
        <QrImage value={started.url} label="QR code for your authenticator app" size={200} />
      </Group>
      <Text ff="monospace" size="sm" ta="center" style={{ overflowWrap: 'anywhere' }}>
        {started.secret}
      </Text>
      <Code description="The six digits that the app shows. Your other sessions will end." />
    </Form>
  );
}

const readProof = (fields: Fields) => ({ password: fields.secret('password'), code: fields.text('code') ?? '' });
const CODE_OR_RECOVERY = 'From your authenticator app, or one of your recovery codes.';

function Renew({ onClose }: StepProps) {
  const renewal = useRenewRecoveryCodes();
  const [codes, setCodes] = useState<string[]>();
  if (codes) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <Form
      action="Replace recovery codes"
      isFleeting
      sending={renewal}
      onCancel={onClose}
      onSend={(fields) =>
        renewal.mutate(readProof(fields), {
          onSuccess: ({ recovery_codes }) => {
            setCodes(recovery_codes);
            renewal.reset();
          },
        })
      }
    >
      <OwnPassword />
      <Code description={CODE_OR_RECOVERY} />
    </Form>
  );
}

function Disable({ onClose }: StepProps) {
  const disabling = useDisableSecondFactor();
  return (
    <Form
      action="Turn off second factor"
      isFleeting
      sending={disabling}
      onCancel={onClose}
      onSend={(fields) => disabling.mutate(readProof(fields), { onSuccess: onClose })}
    >
      <Text>Afterwards your password alone is enough to sign in.</Text>
      <OwnPassword />
      <Code description={CODE_OR_RECOVERY} />
    </Form>
  );
}
