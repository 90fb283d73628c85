import { Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { Navigate, useLocation } from 'react-router';
import { useSignedInUser } from '../../api/account/account.ts';
import { useDecideConsent, useOauthRequest } from '../../api/account/oauth.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { signInPath } from '../../routing/next-path.ts';

/** Asks for consent. The server redirects here with the client's request. */
export default function ConsentPage() {
  const location = useLocation();
  const user = useSignedInUser();
  if (user.data === null) return <Navigate to={signInPath(location)} replace />;
  return (
    <FrontPage title="Allow access?">
      <QueryBoundary query={user}>
        {(person) => <ConsentForm request={location.search.slice(1)} name={person?.display_name ?? ''} />}
      </QueryBoundary>
    </FrontPage>
  );
}

function ConsentForm({ request, name }: { request: string; name: string }) {
  const client = useOauthRequest(request);
  const decision = useDecideConsent(request);
  const isDecided = decision.isPending || decision.isSuccess;
  return (
    <QueryBoundary query={client}>
      {({ client_name, redirect_uri, permissions }) => (
        <Stack>
          <Text>
            <strong>{client_name}</strong> asks for access to your account, {name}. It wants to:
          </Text>
          <List>
            {permissions.map((permission) => (
              <List.Item key={permission}>{permission}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            You will return to <Code>{new URL(redirect_uri).origin}</Code>. You can revoke access any time in Account
            settings → Connections.
          </Text>
          {decision.isError && <Failure error={decision.error} title="Couldn't save your decision" />}
          <Group>
            <Button
              loading={isDecided && decision.variables}
              disabled={isDecided}
              onClick={() => decision.mutate(true)}
            >
              Allow access
            </Button>
            <Button variant="default" disabled={isDecided} onClick={() => decision.mutate(false)}>
              Deny access
            </Button>
          </Group>
        </Stack>
      )}
    </QueryBoundary>
  );
}
