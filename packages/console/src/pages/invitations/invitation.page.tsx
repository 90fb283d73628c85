import { Button, Group, Stack, Text } from '@mantine/core';
import { Navigate, useParams } from 'react-router';
import { type InvitationKind, useAnswerInvitation } from '../../api/invitations.ts';
import { Failure } from '../../parts/failure.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Page } from '../../parts/page.tsx';

const things: Record<InvitationKind, { join: string; opened: string }> = {
  org: { join: 'join an organization', opened: 'The organization is' },
  app: { join: 'join an app', opened: 'The app is' },
  group: { join: 'test an app', opened: 'What you are asked to test is' },
};
const isKind = (kind = ''): kind is InvitationKind => kind in things;

/** Where the link in an invitation leads. */
export default function InvitationPage() {
  const { kind, token = '' } = useParams();
  return isKind(kind) ? <Invitation kind={kind} token={token} /> : <Navigate to="/" replace />;
}

function Invitation({ kind, token }: { kind: InvitationKind; token: string }) {
  const answer = useAnswerInvitation(kind, token);
  if (answer.isSuccess) return <Answered isAccepted={answer.data === 'accept'} opened={things[kind].opened} />;
  return (
    <Page title="You are invited" lead={`Somebody asked you to ${things[kind].join}; the mail says who, and to which.`}>
      <Stack align="flex-start">
        {answer.isError && <Failure error={answer.error} title="That did not work" />}
        <Group>
          <Button loading={answer.isPending} onClick={() => answer.mutate('accept')}>
            Accept
          </Button>
          {kind !== 'group' && (
            <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('reject')}>
              Decline
            </Button>
          )}
        </Group>
      </Stack>
    </Page>
  );
}

const Answered = ({ isAccepted, opened }: { isAccepted: boolean; opened: string }) => (
  <Page title={isAccepted ? 'You are in' : 'Invitation declined'}>
    <Stack align="flex-start">
      <Text>{isAccepted ? `${opened} open to you from now on.` : 'Nothing has changed for you.'}</Text>
      <ButtonLink to="/">Go to the start page</ButtonLink>
    </Stack>
  </Page>
);
