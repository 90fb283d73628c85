import { Code } from '@mantine/core';
import { appApiTokens_create } from '@mooring/contract';
import { appTokens } from '../../api/account/tokens.ts';
import { useCurrentUser } from '../../context/current-user.ts';
import { useCurrentApp } from '../../context/permissions.ts';
import { TokenList } from './token-list.tsx';

export default function AppTokensPage() {
  const { app, appRef, permission, can } = useCurrentApp();
  const me = useCurrentUser();
  const canCreateFull = can(appApiTokens_create, { scope: ['all'] });
  return (
    <TokenList
      title="API tokens"
      description={
        <>
          App tokens work only for {app.display_name}. Send them in the header <Code>X-API-Token</Code>.
        </>
      }
      operations={appTokens(appRef)}
      access={{
        ...(canCreateFull ? { all: 'All permissions of a Manager on this app. Only Managers can create it.' } : {}),
        viewer: 'Reads this app as a Viewer.',
      }}
      canDelete={({ created_by }) => permission === 'manager' || created_by === me.name}
      hasMakers
    />
  );
}
