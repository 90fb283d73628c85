import { Button, Checkbox, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { useRotateKeys } from '../../api/oauth-clients.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Part } from '../../parts/page.tsx';

/** The keys that sign access tokens: they change by themselves, and at once if somebody asks. */
export function SigningKeys() {
  const rotation = useRotateKeys();
  const [isAsking, setAsking] = useState(false);
  const [revoke, setRevoke] = useState(false);
  const ask = () => {
    rotation.reset();
    setRevoke(false);
    setAsking(true);
  };
  return (
    <Part title="Signing key">
      <Paper withBorder p="lg">
        <Group justify="space-between">
          <Text size="sm" role="status">
            {rotation.data
              ? `Access tokens are signed with a new key, ${rotation.data.kid.slice(0, 8)}….`
              : 'Access tokens are signed with a key that changes by itself every 90 days.'}
          </Text>
          <Button variant="default" onClick={ask}>
            Rotate the key
          </Button>
        </Group>
      </Paper>
      {isAsking && (
        <Confirm
          title="Rotate the signing key?"
          action={revoke ? 'Rotate, refuse old tokens' : 'Rotate'}
          isDangerous={revoke}
          doing={rotation}
          onConfirm={() => rotation.mutate(revoke, { onSuccess: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          <Text>New access tokens are signed with it at once. Those from before hold until they expire.</Text>
          <Checkbox
            label="Refuse all access tokens from before"
            description="If a key may have leaked. Everybody has to sign in to their programs again."
            checked={revoke}
            onChange={({ currentTarget }) => setRevoke(currentTarget.checked)}
          />
        </Confirm>
      )}
    </Part>
  );
}
