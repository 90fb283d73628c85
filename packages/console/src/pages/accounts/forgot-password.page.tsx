import { Text } from '@mantine/core';
import { passwordResets_create } from '@mooring/contract';
import { useRequestPasswordReset, useServerInfo } from '../../api/account/account.ts';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { paths } from '../../paths.ts';

export default function ForgotPasswordPage() {
  const server = useServerInfo();
  const request = useRequestPasswordReset();
  if (request.isSuccess) return <RequestSent sendsMail={server.data?.sends_mail ?? true} />;
  return (
    <FrontPage title="Reset password" description="Enter your email to get a reset link.">
      <QueryBoundary query={server}>
        {({ sends_mail }) => (
          <>
            {!sends_mail && (
              <Text size="sm">This server can't send email. An administrator can send you the link.</Text>
            )}
            <Form
              action="Request reset link"
              isFleeting
              sending={request}
              onSend={(fields) => request.mutate(fields.text('email') ?? '')}
            >
              <TextField
                name="email"
                label="Email"
                rule={getBodyRules(passwordResets_create)('email')}
                autoComplete="email"
                autoFocus
              />
            </Form>
          </>
        )}
      </QueryBoundary>
      <BackToSignIn />
    </FrontPage>
  );
}

const RequestSent = ({ sendsMail }: { sendsMail: boolean }) => (
  <FrontPage title={sendsMail ? 'Check your email' : 'Reset link requested'}>
    <Text role="status">
      If an account uses this email,{' '}
      {sendsMail ? 'we sent it a reset link.' : 'an administrator can now send you a reset link.'} The link works once
      and expires after an hour.
    </Text>
    <BackToSignIn />
  </FrontPage>
);

const BackToSignIn = () => (
  <Text size="sm">
    <TextLink to={paths.signIn}>Back to sign-in</TextLink>
  </Text>
);
