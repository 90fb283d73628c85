import { Text } from '@mantine/core';
import { useResetPassword } from '../../api/account/account.ts';
import { ME, queries } from '../../api/client.ts';
import { NewPassword, RevokeTokens } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';
import { useHashToken } from '../../routing/hash-token.ts';

/** Target of password reset links. */
export default function ResetPasswordPage() {
  const token = useHashToken();
  const change = useResetPassword();
  if (change.isSuccess) return <Changed />;
  if (!token) return <NoToken />;
  return (
    <FrontPage title="Set a new password" description="This signs out all your sessions.">
      <Form
        action="Set password"
        sending={change}
        onSend={(fields) =>
          change.mutate(
            { token, body: { new_password: fields.secret('password'), revoke_tokens: fields.isOn('revoke_tokens') } },
            // The reset has also signed out this browser.
            { onSuccess: () => queries.removeQueries({ queryKey: ME }) },
          )
        }
      >
        <NewPassword name="password" label="New password" autoFocus />
        <RevokeTokens />
      </Form>
    </FrontPage>
  );
}

const Changed = () => (
  <FrontPage title="Password changed">
    <Text role="status">Sign in with your new password.</Text>
    <ButtonLink to={paths.signIn}>Sign in</ButtonLink>
  </FrontPage>
);

const NoToken = () => (
  <FrontPage title="This link is incomplete">
    <Text>Copy the whole link from the email, or request a new one.</Text>
    <ButtonLink to={paths.forgotPassword}>Request reset link</ButtonLink>
  </FrontPage>
);
