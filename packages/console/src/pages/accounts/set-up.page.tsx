import { Text } from '@mantine/core';
import { Navigate } from 'react-router';
import { useServerInfo, useSetUp } from '../../api/account/account.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AccountFields, readAccount } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { useHashToken } from '../../routing/hash-token.ts';
import { SetUpNeeded } from './set-up-needed.tsx';

export default function SetUpPage() {
  const token = useHashToken();
  const server = useServerInfo();
  const setUp = useSetUp();
  if (setUp.isSuccess) return <Navigate to={paths.home} replace />;
  if (server.data && !server.data.setup_required) return <AlreadySetUp />;
  if (server.data && !token) return <SetUpNeeded />;
  return (
    <FrontPage title="Set up this server" description="Create the first administrator account.">
      <QueryBoundary query={server}>
        {() => (
          <Form
            action="Create account"
            sending={setUp}
            onSend={(fields) => setUp.mutate({ setup_token: token ?? '', ...readAccount(fields) })}
          >
            <AccountFields isOwn />
          </Form>
        )}
      </QueryBoundary>
    </FrontPage>
  );
}

const AlreadySetUp = () => (
  <FrontPage title="This server is already set up">
    <Text>The setup link no longer works. Sign in, or ask an administrator for an account.</Text>
    <ButtonLink to={paths.signIn}>Sign in</ButtonLink>
  </FrontPage>
);
