import { Text } from '@mantine/core';
import { type ApiError, sessions_create } from '@mooring/contract';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { useServerInfo, useSignedInUser, useSignIn } from '../../api/account/account.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, PasswordField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { nextPath } from '../../routing/next-path.ts';
import { Redirect } from '../../routing/redirect.tsx';
import { CodeField, readCode } from '../sign-in/code-field.tsx';
import { SetUpNeeded } from './set-up-needed.tsx';

// Loaded separately, because most servers have no identity providers.
const ProviderButtons = lazy(() => import('../sign-in/provider-buttons.tsx'));
const FactorSetUp = lazy(() => import('../sign-in/factor-set-up.tsx'));
const ProviderProblem = lazy(() => import('../sign-in/provider-problem.tsx'));

const rules = getBodyRules(sessions_create);

export default function SignInPage() {
  const [query] = useSearchParams();
  const problem = query.get('problem');
  const user = useSignedInUser();
  const server = useServerInfo();
  const signIn = useSignIn();
  // An OAuth client can request a new sign-in although the user is signed in.
  const isAgain = query.has('again') && !signIn.isSuccess;
  if (user.data && !isAgain) return <Redirect to={nextPath(query.get('next'), window.location.origin)} />;
  if (server.data?.setup_required) return <SetUpNeeded />;
  return (
    <FrontPage title="Sign in">
      <QueryBoundary query={server}>
        {({ open_sign_up }) => (
          <>
            <Suspense>{problem !== null && <ProviderProblem code={problem} />}</Suspense>
            <Form
              action="Sign in"
              isFleeting
              sending={signIn}
              onSend={(fields) =>
                signIn.mutate({
                  login: fields.text('login') ?? '',
                  password: fields.secret('password'),
                  ...readCode(fields),
                })
              }
            >
              <NameField
                name="login"
                label="Name or email"
                rule={rules('login')}
                defaultValue={query.get('login') ?? ''}
                autoComplete="username webauthn"
                autoFocus
              />
              <PasswordField
                name="password"
                label="Password"
                rule={rules('password')}
                autoComplete="current-password"
              />
              <CodeField error={signIn.error} />
            </Form>
            <Suspense>
              {(signIn.error as ApiError | null)?.secondFactor === 'setup' && signIn.variables && (
                <FactorSetUp account={signIn.variables} />
              )}
              <ProviderButtons next={nextPath(query.get('next'), window.location.origin)} />
            </Suspense>
            <Text size="sm">
              <TextLink to={paths.forgotPassword}>Forgot password?</TextLink>
            </Text>
            {open_sign_up && (
              <Text size="sm" c="dimmed">
                No account yet?{' '}
                <TextLink to={{ pathname: paths.signUp, search: query.toString() }}>Create account</TextLink>
              </Text>
            )}
          </>
        )}
      </QueryBoundary>
    </FrontPage>
  );
}
