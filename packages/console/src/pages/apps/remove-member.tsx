import { Checkbox, List, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { type ApiToken, appTokens, useTokens } from '../../api/account/tokens.ts';
import { type AppAccess, useRemoveAppUser } from '../../api/apps.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { useCurrentApp } from '../../context/permissions.ts';

const consequence = ({ display_name, via }: AppAccess, app: string): string =>
  via.length > 1
    ? `${display_name} loses their direct role, but keeps access through a team or the organization.`
    : `${display_name} immediately loses access to ${app}.`;

const tokenLabel = ({ description, last_four, scope }: ApiToken): string =>
  `${description || 'Unnamed token'} (…${last_four}, ${scope.includes('all') ? 'Full Access' : 'Read-Only'})`;

/** The person may still know the values of app tokens that they created, so the dialog asks about those too. */
export function RemoveMember({ person, onClose }: { person: AppAccess; onClose: () => void }) {
  const { app, appRef } = useCurrentApp();
  const removal = useRemoveAppUser(appRef);
  const tokens = useTokens(appTokens(appRef));
  const [revokes, setRevokes] = useState(true);
  const created = (tokens.data ?? []).filter(({ created_by }) => created_by === person.name);
  return (
    <ConfirmDialog
      title={`Remove member ${person.display_name}?`}
      action="Remove member"
      isDangerous
      mutation={removal}
      onConfirm={() => removal.mutate({ email: person.email, keepsTokens: !revokes }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>{consequence(person, app.display_name)}</Text>
      {tokens.error && <Failure error={tokens.error} title="Couldn't list the app tokens this member created" />}
      {created.length > 0 && (
        <Stack gap="xs">
          <Text>App tokens that {person.display_name} created:</Text>
          <List size="sm" mah={180} style={{ overflowY: 'auto' }}>
            {created.map((token) => (
              <List.Item key={token.id}>{tokenLabel(token)}</List.Item>
            ))}
          </List>
          <Checkbox
            label="Revoke tokens that this member can no longer create"
            description="Pipelines that use these tokens stop working. If you keep the tokens, this person may still know them."
            checked={revokes}
            onChange={({ currentTarget }) => setRevokes(currentTarget.checked)}
          />
        </Stack>
      )}
    </ConfirmDialog>
  );
}
