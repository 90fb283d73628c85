import { Text } from '@mantine/core';
import { useNavigate } from 'react-router';
import { type InvitationKind, type Offer, useSignUpByInvitation } from '../../api/invitations.ts';
import { Form } from '../../parts/form.tsx';
import { PersonFields, readPerson } from '../../parts/person-fields.tsx';
import { appPath, paths, pathTo } from '../../paths.ts';

interface InvitationSignUpProps {
  kind: InvitationKind;
  token: string;
  offer: Offer;
}

type Opened = NonNullable<ReturnType<typeof useSignUpByInvitation>['data']>;

/** A new account sees nothing yet but what it was invited to; where that is one thing, its page is the place to begin. */
function firstPage(kind: InvitationKind, { orgs, apps }: Opened): string {
  const [org] = orgs;
  const [app] = apps;
  if (kind === 'org') return org && orgs.length === 1 ? pathTo('org', { org: org.name }) : paths.orgs;
  return app && apps.length === 1 ? appPath(app) : paths.home;
}

/** For somebody without an account, also where sign-up is closed. */
export function InvitationSignUp({ kind, token, offer }: InvitationSignUpProps) {
  const signUp = useSignUpByInvitation(kind, token);
  const navigate = useNavigate();
  return (
    <>
      <Text size="sm">You have no account here yet. Creating one accepts the invitation.</Text>
      <Form
        action="Create the account and accept"
        sending={signUp}
        onSend={(fields) => {
          const { name, display_name, password } = readPerson(fields);
          signUp.mutate(
            { name, display_name, password },
            { onSuccess: (opened) => void navigate(firstPage(kind, opened), { replace: true }) },
          );
        }}
      >
        <PersonFields isOwn email={offer.email} />
      </Form>
    </>
  );
}
