import { Code, List, Text } from '@mantine/core';
import { type ApiToken, type TokenOperations, type Undeleted, useDeleteTokens } from '../../api/tokens.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Failure } from '../../parts/failure.tsx';
import { nameOf } from './token-words.ts';

interface DeleteTokensProps {
  operations: TokenOperations;
  tokens: ApiToken[];
  onClose: () => void;
}

export function DeleteTokens({ operations, tokens, onClose }: DeleteTokensProps) {
  const deletion = useDeleteTokens(operations);
  const remove = () => deletion.mutate(tokens, { onSuccess: (undeleted) => undeleted.length === 0 && onClose() });
  return (
    <Confirm
      title={tokens.length === 1 ? 'Delete this API token?' : `Delete ${tokens.length} API tokens?`}
      action="Delete"
      isDangerous
      doing={deletion}
      onConfirm={remove}
      onClose={onClose}
    >
      <Text>Whatever uses {tokens.length === 1 ? 'it' : 'them'} is refused from then on. This cannot be undone.</Text>
      <List size="sm" mah={200} style={{ overflowY: 'auto' }}>
        {tokens.map((token) => (
          <List.Item key={token.id}>
            {nameOf(token)} <Code>…{token.last_four}</Code>
          </List.Item>
        ))}
      </List>
      {deletion.data?.map(({ token, error }: Undeleted) => (
        <Failure key={token.id} error={error} title={`${nameOf(token)} was not deleted`} />
      ))}
    </Confirm>
  );
}
