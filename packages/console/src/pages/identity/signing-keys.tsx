import { Button, Checkbox, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useRotateKeys } from '../../api/account/oauth-clients.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Section } from '../../components/layout/page.tsx';

/** Signing key of access tokens, with manual rotation. */
export function SigningKeys() {
  const rotation = useRotateKeys();
  const [isConfirming, setConfirming] = useState(false);
  const [revoke, setRevoke] = useState(false);
  const openDialog = () => {
    rotation.reset();
    setRevoke(false);
    setConfirming(true);
  };
  return (
    <Section title="Signing key">
      <Paper withBorder p="lg">
        <Group justify="space-between">
          <Text size="sm" role="status">
            {rotation.data
              ? `Key rotated. New key: ${rotation.data.kid.slice(0, 8)}…`
              : 'Signs access tokens. Rotates automatically every 90 days.'}
          </Text>
          <Button variant="default" onClick={openDialog}>
            Rotate signing key
          </Button>
        </Group>
      </Paper>
      {isConfirming && (
        <ConfirmDialog
          title="Rotate signing key?"
          action={revoke ? 'Rotate key and revoke tokens' : 'Rotate signing key'}
          isDangerous={revoke}
          mutation={rotation}
          onConfirm={() => rotation.mutate(revoke, { onSuccess: () => setConfirming(false) })}
          onClose={() => setConfirming(false)}
        >
          <Text>New access tokens are signed with the new key. Existing tokens stay valid until they expire.</Text>
          <Checkbox
            label="Revoke all existing access tokens"
            description="Use this if the key may have leaked. Everyone must sign in to their programs again."
            checked={revoke}
            onChange={({ currentTarget }) => setRevoke(currentTarget.checked)}
          />
        </ConfirmDialog>
      )}
    </Section>
  );
}
