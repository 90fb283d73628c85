import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { type InvitationKind, type Offer, useSignUpByInvitation } from '../../api/account/invitations.ts';
import { AccountFields, readAccount } from '../../components/forms/account-fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { appPath, paths, pathTo } from '../../paths.ts';

interface InvitationSignUpProps {
  kind: InvitationKind;
  token: string;
  offer: Offer;
}

type Opened = NonNullable<ReturnType<typeof useSignUpByInvitation>['data']>;

/** A new account has access only to the invited resource; if it is a single one, its page opens. */
function firstPage(kind: InvitationKind, { orgs, apps }: Opened): string {
  const [org] = orgs;
  const [app] = apps;
  if (kind === 'org') return org && orgs.length === 1 ? pathTo('org', { org: org.name }) : paths.orgs;
  return app && apps.length === 1 ? appPath(app) : paths.home;
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
            { onSuccess: (opened) => void navigate(firstPage(kind, opened), { replace: true }) },
          );
        }}
      >
        <AccountFields isOwn email={offer.email} />
      </Form>
    </>
  );
}
