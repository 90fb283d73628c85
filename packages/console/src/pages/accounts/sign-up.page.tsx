import { Text } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { useServerInfo, useSignedInUser, useSignUp } from '../../api/account/account.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { AccountFields, readAccount } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { nextPath } from '../../routing/next-path.ts';
import { Redirect } from '../../routing/redirect.tsx';

export default function SignUpPage() {
  const [query] = useSearchParams();
  const user = useSignedInUser();
  const server = useServerInfo();
  const signUp = useSignUp();
  if (user.data) return <Redirect to={nextPath(query.get('next'), window.location.origin)} />;
  return (
    <FrontPage title="Create account">
      <QueryBoundary query={server}>
        {({ open_sign_up }) =>
          open_sign_up ? (
            <Form action="Create account" sending={signUp} onSend={(fields) => signUp.mutate(readAccount(fields))}>
              <AccountFields isOwn />
            </Form>
          ) : (
            <Text>Sign-up is closed on this server. Ask an administrator for an account.</Text>
          )
        }
      </QueryBoundary>
      <Text size="sm" c="dimmed">
        Already have an account? <TextLink to={{ pathname: paths.signIn, search: query.toString() }}>Sign in</TextLink>
      </Text>
    </FrontPage>
  );
}
