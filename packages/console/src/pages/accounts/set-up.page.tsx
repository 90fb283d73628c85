import { Text } from '@mantine/core';
import { Navigate } from 'react-router';
import { useServerInfo, useSetUp } from '../../api/account.ts';
import { Form } from '../../parts/form.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { useHashToken } from '../../parts/hash-token.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PersonFields, readPerson } from '../../parts/person-fields.tsx';
import { paths } from '../../paths.ts';
import { SetUpNeeded } from './set-up-needed.tsx';

export default function SetUpPage() {
  const token = useHashToken();
  const server = useServerInfo();
  const setUp = useSetUp();
  if (setUp.isSuccess) return <Navigate to={paths.home} replace />;
  if (server.data && !server.data.setup_required) return <AlreadySetUp />;
  if (server.data && !token) return <SetUpNeeded />;
  return (
    <FrontPage title="Set up this server" lead="You become its first administrator, and are signed in at once.">
      <Loaded reading={server}>
        {() => (
          <Form
            action="Create the administrator"
            sending={setUp}
            onSend={(fields) => setUp.mutate({ setup_token: token ?? '', ...readPerson(fields) })}
          >
            <PersonFields isOwn />
          </Form>
        )}
      </Loaded>
    </FrontPage>
  );
}

const AlreadySetUp = () => (
  <FrontPage title="This server is set up already">
    <Text>
      It has an administrator, so the set-up link no longer works. Sign in, or ask an administrator for an account.
    </Text>
    <ButtonLink to={paths.signIn}>Sign in</ButtonLink>
  </FrontPage>
);
