import { Text } from '@mantine/core';
import { signInLinks_create, signInProblems } from '@mooring/contract';
import { useLinkAccount, usePendingLink } from '../../api/account/sign-in.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, PasswordField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { nextPath } from '../../routing/next-path.ts';
import { Redirect } from '../../routing/redirect.tsx';
import { CodeField, readCode } from './code-field.tsx';

const rules = getBodyRules(signInLinks_create);

/** Opened after the first sign-in of a person at a provider who may have an account already. */
export default function LinkAccountPage() {
  const pending = usePendingLink();
  const link = useLinkAccount();
  if (link.data) return <Redirect to={nextPath(link.data.next, window.location.origin)} />;
  return (
    <FrontPage title="Link your account">
      <QueryBoundary query={pending}>
        {(data) =>
          data === null ? (
            <Text>
              {signInProblems.expired} <TextLink to={paths.signIn}>Go to sign-in</TextLink>
            </Text>
          ) : (
            <>
              <Text>
                You signed in at {data.display_name}
                {data.email && ` as ${data.email}`}. Enter the password of your Mooring account once to link it. From
                then on, {data.display_name} signs you in.
              </Text>
              <Form
                action="Link account"
                isFleeting
                sending={link}
                onSend={(fields) =>
                  link.mutate({
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
                  defaultValue={data.email ?? ''}
                  autoComplete="username"
                />
                <PasswordField
                  name="password"
                  label="Password"
                  rule={rules('password')}
                  autoComplete="current-password"
                  autoFocus
                />
                <CodeField error={link.error} />
              </Form>
              <Text size="sm" c="dimmed">
                No account or no password? Ask an administrator.
              </Text>
            </>
          )
        }
      </QueryBoundary>
    </FrontPage>
  );
}
