import { Code } from '@mantine/core';
import { appApiTokens_create } from '@mooring/contract';
import { appTokens } from '../../api/tokens.ts';
import { useAppHere } from '../../parts/may.ts';
import { useMe } from '../../parts/me.ts';
import { TokenList } from './token-list.tsx';

export default function AppTokensPage() {
  const { app, appRef, permission, may } = useAppHere();
  const me = useMe();
  const mayCreateFull = may(appApiTokens_create, { scope: ['all'] });
  return (
    <TokenList
      title="API tokens"
      lead={
        <>
          A token reaches {app.display_name} and nothing else: header <Code>X-API-Token</Code>.
        </>
      }
      operations={appTokens(appRef)}
      access={{
        ...(mayCreateFull
          ? { all: 'Everything that a Manager may do, on this one app. Only Managers create it.' }
          : {}),
        viewer: 'Reads this one app as a Viewer. Cannot change anything.',
      }}
      canDelete={({ created_by }) => permission === 'manager' || created_by === me.name}
      hasMakers
    />
  );
}
