import { Text } from '@mantine/core';
import { sessions_create } from '@mooring/contract';
import { useSearchParams } from 'react-router';
import { useServerInfo, useSignedInUser, useSignIn } from '../../api/account.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, PasswordField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { GoOn } from '../../parts/go-on.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { nextPath } from '../../parts/next-path.ts';
import { paths } from '../../paths.ts';
import { SetUpNeeded } from './set-up-needed.tsx';

const rules = fieldsOf(sessions_create);

export default function SignInPage() {
  const [query] = useSearchParams();
  const user = useSignedInUser();
  const server = useServerInfo();
  const signIn = useSignIn();
  // A client may want that somebody signs in although somebody is signed in.
  const isAgain = query.has('again') && !signIn.isSuccess;
  if (user.data && !isAgain) return <GoOn to={nextPath(query.get('next'), window.location.origin)} />;
  if (server.data?.setup_required) return <SetUpNeeded />;
  return (
    <FrontPage title="Sign in">
      <Loaded reading={server}>
        {({ open_sign_up }) => (
          <>
            <Form
              action="Sign in"
              isFleeting
              sending={signIn}
              onSend={(fields) =>
                signIn.mutate({ login: fields.text('login') ?? '', password: fields.secret('password') })
              }
            >
              <NameField
                name="login"
                label="Name or e-mail"
                rule={rules('login')}
                defaultValue={query.get('login') ?? ''}
                autoComplete="username"
                autoFocus
              />
              <PasswordField
                name="password"
                label="Password"
                rule={rules('password')}
                autoComplete="current-password"
              />
            </Form>
            <Text size="sm">
              <TextLink to={paths.forgotPassword}>Forgotten password?</TextLink>
            </Text>
            {open_sign_up && (
              <Text size="sm" c="dimmed">
                No account yet?{' '}
                <TextLink to={{ pathname: paths.signUp, search: query.toString() }}>Create one</TextLink>
              </Text>
            )}
          </>
        )}
      </Loaded>
    </FrontPage>
  );
}
