import { Code, List, Text } from '@mantine/core';
import { type ApiToken, type TokenOperations, type Undeleted, useDeleteTokens } from '../../api/account/tokens.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { getTokenName } from './token-labels.ts';

interface DeleteTokensProps {
  operations: TokenOperations;
  tokens: ApiToken[];
  onClose: () => void;
}

export function DeleteTokens({ operations, tokens, onClose }: DeleteTokensProps) {
  const deletion = useDeleteTokens(operations);
  const remove = () => deletion.mutate(tokens, { onSuccess: (undeleted) => undeleted.length === 0 && onClose() });
  return (
    <ConfirmDialog
      title={`Delete ${formatCount(tokens.length, 'API token')}?`}
      action={tokens.length === 1 ? 'Delete API token' : 'Delete API tokens'}
      isDangerous
      mutation={deletion}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>
        Requests with {tokens.length === 1 ? 'this token' : 'these tokens'} are rejected immediately. This cannot be
        undone.
      </Text>
      <List size="sm" mah={200} style={{ overflowY: 'auto' }}>
        {tokens.map((token) => (
          <List.Item key={token.id}>
            {getTokenName(token)} <Code>…{token.last_four}</Code>
          </List.Item>
        ))}
      </List>
      {deletion.data?.map(({ token, error }: Undeleted) => (
        <Failure key={token.id} error={error} title={`Couldn't delete ${getTokenName(token)}`} />
      ))}
    </ConfirmDialog>
  );
}
