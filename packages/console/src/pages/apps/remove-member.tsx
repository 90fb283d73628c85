import { Checkbox, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type AppAccess, useRemoveAppUser } from '../../api/apps.ts';
import { type ApiToken, appTokens, useTokens } from '../../api/tokens.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/failure.tsx';
import { useAppHere } from '../../parts/may.ts';

const consequence = ({ display_name, via }: AppAccess, app: string): string =>
  via.length > 1
    ? `${display_name} loses the direct role, and keeps what ${via.length > 2 ? 'the other ways give' : 'the other way gives'}.`
    : `${display_name} can no longer see or change ${app}, from the next request on.`;

const tokenLabel = ({ description, last_four, scope }: ApiToken): string =>
  `${description || 'Unnamed token'} (…${last_four}, ${scope.includes('all') ? 'Full Access' : 'Read-Only'})`;

/** The person may still know the values of app tokens that they created, so the dialog asks about those too. */
export function RemoveMember({ person, onClose }: { person: AppAccess; onClose: () => void }) {
  const { app, appRef } = useAppHere();
  const removal = useRemoveAppUser(appRef);
  const tokens = useTokens(appTokens(appRef));
  const [revokes, setRevokes] = useState(true);
  const created = (tokens.data ?? []).filter(({ created_by }) => created_by === person.name);
  return (
    <Confirm
      title={`Remove ${person.display_name}?`}
      action="Remove"
      isDangerous
      doing={removal}
      onConfirm={() => removal.mutate({ email: person.email, keepsTokens: !revokes }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{consequence(person, app.display_name)}</Text>
      {tokens.error && <Failure error={tokens.error} title="Can't list the app tokens that they created" />}
      {created.length > 0 && (
        <Stack gap="xs">
          <Text>App tokens that {person.display_name} created:</Text>
          <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
            {created.map((token) => (
              <List.Item key={token.id}>{tokenLabel(token)}</List.Item>
            ))}
          </List>
          <Checkbox
            label="Revoke the tokens that they could no longer create"
            description="Pipelines that use one stop working. Otherwise the tokens keep working, and they may still know them."
            checked={revokes}
            onChange={({ currentTarget }) => setRevokes(currentTarget.checked)}
          />
        </Stack>
      )}
    </Confirm>
  );
}
