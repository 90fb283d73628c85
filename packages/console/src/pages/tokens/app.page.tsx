import { Code } from '@mantine/core';
import { appTokens } from '../../api/tokens.ts';
import { useAppHere } from '../../parts/may.ts';
import { useMe } from '../../parts/me.ts';
import { TokenList } from './token-list.tsx';

export default function AppTokensPage() {
  const { app, address, permission } = useAppHere();
  const me = useMe();
  const isManager = permission === 'manager';
  return (
    <TokenList
      title="API tokens"
      lead={
        <>
          A token of the app reaches {app.display_name} and nothing else, in the header <Code>X-API-Token</Code>. It
          goes on working when whoever made it leaves.
        </>
      }
      place={appTokens(address)}
      access={{
        ...(isManager ? { all: 'Everything that a Manager may do, on this one app. Only Managers create it.' } : {}),
        viewer: 'Reads this one app as a Viewer. Cannot change anything.',
      }}
      canDelete={({ created_by }) => isManager || created_by === me.name}
      hasMakers
    />
  );
}
