import { Text } from '@mantine/core';
import { useSetForgottenPassword } from '../../api/account.ts';
import { ME, queries } from '../../api/client.ts';
import { Form } from '../../parts/form.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { useHashToken } from '../../parts/hash-token.ts';
import { ButtonLink } from '../../parts/links.tsx';
import { NewPassword, RevokeTokens } from '../../parts/person-fields.tsx';
import { paths } from '../../paths.ts';

/** Where the link for a forgotten password leads. */
export default function ResetPasswordPage() {
  const token = useHashToken();
  const change = useSetForgottenPassword();
  if (change.isSuccess) return <Changed />;
  if (!token) return <NoToken />;
  return (
    <FrontPage title="Set a new password" lead="All your sessions end.">
      <Form
        action="Set the password"
        sending={change}
        onSend={(fields) =>
          change.mutate(
            { token, body: { new_password: fields.secret('password'), revoke_tokens: fields.isOn('revoke_tokens') } },
            // Whoever was signed in here has been signed out with it.
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
  <FrontPage title="Your password is set">
    <Text role="status">Sign in with it.</Text>
    <ButtonLink to={paths.signIn}>Sign in</ButtonLink>
  </FrontPage>
);

const NoToken = () => (
  <FrontPage title="This link is incomplete">
    <Text>Open the link again, from its beginning to its end, or ask for a new one.</Text>
    <ButtonLink to={paths.forgotPassword}>Ask for a new one</ButtonLink>
  </FrontPage>
);
