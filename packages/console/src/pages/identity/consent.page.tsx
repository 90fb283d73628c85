import { Button, Code, Group, List, Stack, Text } from '@mantine/core';
import { Navigate, useLocation } from 'react-router';
import { useSignedInUser } from '../../api/account.ts';
import { useAnswerClient, useOauthRequest } from '../../api/oauth.ts';
import { Failure } from '../../parts/failure.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { signInPath } from '../../parts/next-path.ts';

/** Asks whether a client may act for the person. The server sends people here, with the client's own request. */
export default function ConsentPage() {
  const location = useLocation();
  const user = useSignedInUser();
  if (user.data === null) return <Navigate to={signInPath(location)} replace />;
  return (
    <FrontPage title="Allow access?">
      <Loaded reading={user}>
        {(person) => <Question request={location.search.slice(1)} name={person?.display_name ?? ''} />}
      </Loaded>
    </FrontPage>
  );
}

function Question({ request, name }: { request: string; name: string }) {
  const asked = useOauthRequest(request);
  const answer = useAnswerClient(request);
  const isAnswered = answer.isPending || answer.isSuccess;
  return (
    <Loaded reading={asked}>
      {({ client_name, redirect_uri, permissions }) => (
        <Stack>
          <Text>
            <strong>{client_name}</strong> asks you, {name}, to let it:
          </Text>
          <List>
            {permissions.map((permission) => (
              <List.Item key={permission}>{permission}</List.Item>
            ))}
          </List>
          <Text size="sm" c="dimmed">
            Either way you will be sent to <Code>{new URL(redirect_uri).origin}</Code>. You can take this back at any
            time, under Account settings → Connections.
          </Text>
          {answer.isError && <Failure error={answer.error} title="That did not work" />}
          <Group>
            <Button loading={isAnswered && answer.variables} disabled={isAnswered} onClick={() => answer.mutate(true)}>
              Allow
            </Button>
            <Button variant="default" disabled={isAnswered} onClick={() => answer.mutate(false)}>
              Deny
            </Button>
          </Group>
        </Stack>
      )}
    </Loaded>
  );
}
