import { Code } from '@mantine/core';
import { myTokens } from '../../api/tokens.ts';
import { TokenList } from './token-list.tsx';

export default function MyTokensPage() {
  return (
    <TokenList
      title="API tokens"
      lead={
        <>
          A token lets a script act as you: header <Code>X-API-Token</Code>.
        </>
      }
      operations={myTokens}
      access={{
        all: 'Everything that you may do yourself, in every app and organization, as your roles are at the time.',
        viewer: 'Reads crash data, analytics and basic app information as a Viewer. Cannot change anything.',
      }}
    />
  );
}
