import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { type InvitationKind, type Offer, useSignUpByInvitation } from '../../api/account/invitations.ts';
import { AccountFields, readAccount } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { isServerPath } from '../../routing/next-path.ts';
import { firstPath } from './invitation-paths.ts';

interface InvitationSignUpProps {
  kind: InvitationKind;
  token: string;
  offer: Offer;
}

/** Sign-up through an invitation, which also works while sign-up is closed. */
export function InvitationSignUp({ kind, token, offer }: InvitationSignUpProps) {
  const signUp = useSignUpByInvitation(kind, token);
  const navigate = useNavigate();
  return (
    <>
      <Text size="sm">Create an account to accept the invitation.</Text>
      <Form
        action="Create account and accept"
        sending={signUp}
        onSend={(fields) => {
          const { name, display_name, password } = readAccount(fields);
          signUp.mutate(
            { name, display_name, password },
            {
              // This form is no longer shown once the user is signed in, so it can't render a redirect.
              onSuccess: () => {
                const to = firstPath(kind, offer);
                if (isServerPath(to)) window.location.replace(to);
                else void navigate(to, { replace: true });
              },
            },
          );
        }}
      >
        <AccountFields isOwn email={offer.email} />
      </Form>
    </>
  );
}
