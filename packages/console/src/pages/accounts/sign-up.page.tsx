import { Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useServerInfo, useSignedInUser, useSignUp } from '../../api/account.ts';
import { Form } from '../../parts/form.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { GoOn } from '../../parts/go-on.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { nextPath } from '../../parts/next-path.ts';
import { PersonFields, readPerson } from '../../parts/person-fields.tsx';
import { paths } from '../../paths.ts';

export default function SignUpPage() {
  const [query] = useSearchParams();
  const user = useSignedInUser();
  const server = useServerInfo();
  const signUp = useSignUp();
  if (user.data) return <GoOn to={nextPath(query.get('next'), window.location.origin)} />;
  return (
    <FrontPage title="Create an account">
      <Loaded reading={server}>
        {({ open_sign_up }) =>
          open_sign_up ? (
            <Form action="Create the account" sending={signUp} onSend={(fields) => signUp.mutate(readPerson(fields))}>
              <PersonFields isOwn />
            </Form>
          ) : (
            <Text>Sign-up is closed on this server. Ask an administrator for an account.</Text>
          )
        }
      </Loaded>
      <Text size="sm" c="dimmed">
        You have an account? <TextLink to={{ pathname: paths.signIn, search: query.toString() }}>Sign in</TextLink>
      </Text>
    </FrontPage>
  );
}
