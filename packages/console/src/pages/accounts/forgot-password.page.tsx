import { Text } from '@mantine/core';
import { passwordResets_create } from '@mooring/contract';
import { useAskForPassword, useServerInfo } from '../../api/account.ts';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { paths } from '../../paths.ts';

export default function ForgotPasswordPage() {
  const server = useServerInfo();
  const asking = useAskForPassword();
  if (asking.isSuccess) return <Asked sendsMail={server.data?.sends_mail ?? true} />;
  return (
    <FrontPage title="Forgotten password" lead="You get a link with which you set a new one.">
      <Loaded reading={server}>
        {({ sends_mail }) => (
          <>
            {!sends_mail && (
              <Text size="sm">
                This server sends no mail: an administrator has to pass the link on to you. You can also ask them right
                away.
              </Text>
            )}
            <Form
              action="Ask for a link"
              isFleeting
              sending={asking}
              onSend={(fields) => asking.mutate(fields.text('email') ?? '')}
            >
              <TextField
                name="email"
                label="E-mail"
                rule={fieldsOf(passwordResets_create)('email')}
                autoComplete="email"
                autoFocus
              />
            </Form>
          </>
        )}
      </Loaded>
      <BackToSignIn />
    </FrontPage>
  );
}

const Asked = ({ sendsMail }: { sendsMail: boolean }) => (
  <FrontPage title={sendsMail ? 'Look into your mail' : 'Asked for'}>
    <Text role="status">
      If an account has this e-mail, a link
      {sendsMail ? ' is on its way to it.' : ' waits for an administrator, who can pass it on to you.'} It works once,
      for an hour.
    </Text>
    <BackToSignIn />
  </FrontPage>
);

const BackToSignIn = () => (
  <Text size="sm">
    <TextLink to={paths.signIn}>Back to sign-in</TextLink>
  </Text>
);
