import { Button, Group, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { useLocation, useParams } from 'react-router';
import { type User, useSignedInUser } from '../../api/account.ts';
import { type InvitationKind, type Offer, useAnswerInvitation, useOffer } from '../../api/invitations.ts';
import { useSignOut } from '../../api/sessions.ts';
import { Failure } from '../../parts/failure.tsx';
import { FrontPage } from '../../parts/front-page.tsx';
import { ButtonLink } from '../../parts/links.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { signInPath } from '../../parts/next-path.ts';
import { NotFound } from '../../parts/not-found.tsx';
import { inWords } from '../../parts/role-words.ts';
import { Time } from '../../parts/time.tsx';
import { paths } from '../../paths.ts';
import { InvitationSignUp } from './invitation-sign-up.tsx';

const things: Record<InvitationKind, string> = { org: 'the organization', app: 'the app', group: 'the testers of' };
const isKind = (kind = ''): kind is InvitationKind => kind in things;

export interface Link {
  kind: InvitationKind;
  token: string;
}

/** Where the link in an invitation leads, for whoever has it: with an account, without one, signed in or not. */
export default function InvitationPage() {
  const { kind, token = '' } = useParams();
  return isKind(kind) ? <Invitation kind={kind} token={token} /> : <NotFound />;
}

function Invitation({ kind, token }: Link) {
  const offer = useOffer(kind, token);
  const user = useSignedInUser();
  const answer = useAnswerInvitation(kind, token);
  if (answer.isSuccess) return <Answered isAccepted={answer.data === 'accept'} />;
  if (offer.error instanceof ApiError && offer.error.status === 404) return <Gone />;
  return (
    <FrontPage title="You are invited">
      <Loaded reading={offer}>
        {(found) => (
          <>
            <OfferText kind={kind} offer={found} />
            <Loaded reading={user}>
              {(person) => {
                if (person && isSame(person, found)) return <Answering kind={kind} answer={answer} />;
                if (person) return <SomebodyElse person={person} offer={found} />;
                return found.has_account ? (
                  <SignInFirst offer={found} />
                ) : (
                  <InvitationSignUp kind={kind} token={token} offer={found} />
                );
              }}
            </Loaded>
          </>
        )}
      </Loaded>
    </FrontPage>
  );
}

const isSame = (person: User, offer: Offer): boolean => person.email.toLowerCase() === offer.email.toLowerCase();

const OfferText = ({ kind, offer }: { kind: InvitationKind; offer: Offer }) => (
  <div>
    <Text>
      {offer.invited_by ? `${offer.invited_by} invites` : 'This server invites'} <strong>{offer.email}</strong> to{' '}
      {things[kind]} <strong>{offer.target}</strong>
      {kind !== 'group' && `, as ${inWords(offer.role).toLowerCase()}`}.
    </Text>
    {offer.expires_at && (
      <Text size="sm" c="dimmed">
        The link works until <Time at={offer.expires_at} />.
      </Text>
    )}
  </div>
);

interface AnsweringProps {
  kind: InvitationKind;
  answer: ReturnType<typeof useAnswerInvitation>;
}

const Answering = ({ kind, answer }: AnsweringProps) => (
  <>
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
  </>
);

function SignInFirst({ offer }: { offer: Offer }) {
  const here = signInPath(useLocation());
  return (
    <Stack align="flex-start">
      <Text size="sm">You have an account with this e-mail: sign in to answer.</Text>
      <ButtonLink to={`${here}&login=${encodeURIComponent(offer.email)}`}>Sign in</ButtonLink>
    </Stack>
  );
}

function SomebodyElse({ person, offer }: { person: User; offer: Offer }) {
  const leave = useSignOut(useLocation().pathname);
  return (
    <Stack align="flex-start">
      <Text size="sm">
        You are signed in as {person.display_name} ({person.email}), but only {offer.email} can answer.
      </Text>
      {leave.error && <Failure error={leave.error} />}
      <Group>
        <Button loading={leave.isPending} onClick={() => leave.mutate()}>
          Sign out and go on
        </Button>
        <ButtonLink to={paths.home} variant="default">
          Stay signed in
        </ButtonLink>
      </Group>
    </Stack>
  );
}

const Gone = () => (
  <FrontPage
    title="This invitation is not open"
    lead="It was answered, taken back or has expired, or the link is incomplete. Ask whoever invited you for a new one."
  >
    <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
  </FrontPage>
);

const Answered = ({ isAccepted }: { isAccepted: boolean }) => (
  <FrontPage
    title={isAccepted ? 'You are in' : 'Invitation declined'}
    lead={isAccepted ? 'What you were invited to is open to you from now on.' : 'Nothing has changed for you.'}
  >
    <ButtonLink to={paths.home}>Go to the home page</ButtonLink>
  </FrontPage>
);
