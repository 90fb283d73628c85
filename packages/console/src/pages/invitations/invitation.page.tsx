import { Button, Group, Stack, Text } from '@mantine/core';
import { ApiError } from '@mooring/contract';
import { useLocation, useParams } from 'react-router';
import { type User, useSignedInUser } from '../../api/account/account.ts';
import { type InvitationKind, type Offer, useDecideInvitation, useOffer } from '../../api/account/invitations.ts';
import { useSignOut } from '../../api/account/sign-out.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { NotFound } from '../../components/feedback/not-found.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { FrontPage } from '../../components/layout/front-page.tsx';
import { ButtonLink } from '../../components/text/links.tsx';
import { formatRole } from '../../components/text/role-labels.ts';
import { Time } from '../../components/text/time.tsx';
import { paths } from '../../paths.ts';
import { signInPath } from '../../routing/next-path.ts';
import { Redirect } from '../../routing/redirect.tsx';
import { firstPath, installPathFor } from './invitation-paths.ts';
import { InvitationSignUp } from './invitation-sign-up.tsx';

const things: Record<InvitationKind, string> = { org: 'the organization', app: 'the app', group: 'the testers of' };
const isKind = (kind = ''): kind is InvitationKind => kind in things;

export interface Link {
  kind: InvitationKind;
  token: string;
}

/** Target of invitation links, for signed-in and anonymous visitors. */
export default function InvitationPage() {
  const { kind, token = '' } = useParams();
  return isKind(kind) ? <Invitation kind={kind} token={token} /> : <NotFound />;
}

function Invitation({ kind, token }: Link) {
  const offer = useOffer(kind, token);
  const user = useSignedInUser();
  const decision = useDecideInvitation(kind, token);
  if (decision.data === 'accept' && offer.data) return <Accepted kind={kind} offer={offer.data} />;
  if (decision.isSuccess) return <Declined />;
  if (offer.error instanceof ApiError && offer.error.status === 404) return <Gone />;
  return (
    <FrontPage title="You are invited">
      <QueryBoundary query={offer}>
        {(data) => (
          <>
            <OfferText kind={kind} offer={data} />
            <QueryBoundary query={user}>
              {(person) => {
                if (person && isSame(person, data)) return <DecisionForm kind={kind} decision={decision} />;
                if (person) return <OtherAccount person={person} offer={data} />;
                return data.has_account ? (
                  <SignInFirst offer={data} />
                ) : (
                  <InvitationSignUp kind={kind} token={token} offer={data} />
                );
              }}
            </QueryBoundary>
          </>
        )}
      </QueryBoundary>
    </FrontPage>
  );
}

const isSame = (person: User, offer: Offer): boolean => person.email.toLowerCase() === offer.email.toLowerCase();

const OfferText = ({ kind, offer }: { kind: InvitationKind; offer: Offer }) => (
  <div>
    <Text>
      {offer.invited_by ? `${offer.invited_by} invites` : 'This server invites'} <strong>{offer.email}</strong> to{' '}
      {things[kind]} <strong>{offer.target}</strong>
      {kind !== 'group' && `, as ${formatRole(offer.role).toLowerCase()}`}.
    </Text>
    {offer.expires_at && (
      <Text size="sm" c="dimmed">
        The link expires <Time at={offer.expires_at} />.
      </Text>
    )}
  </div>
);

interface DecisionFormProps {
  kind: InvitationKind;
  decision: ReturnType<typeof useDecideInvitation>;
}

const DecisionForm = ({ kind, decision }: DecisionFormProps) => (
  <>
    {decision.isError && <Failure error={decision.error} title="Couldn't answer the invitation" />}
    <Group>
      <Button loading={decision.isPending} onClick={() => decision.mutate('accept')}>
        Accept invitation
      </Button>
      {kind !== 'group' && (
        <Button variant="default" disabled={decision.isPending} onClick={() => decision.mutate('reject')}>
          Decline invitation
        </Button>
      )}
    </Group>
  </>
);

function SignInFirst({ offer }: { offer: Offer }) {
  const here = signInPath(useLocation());
  return (
    <Stack align="flex-start">
      <Text size="sm">You already have an account with this email. Sign in to answer.</Text>
      <ButtonLink to={`${here}&login=${encodeURIComponent(offer.email)}`}>Sign in</ButtonLink>
    </Stack>
  );
}

function OtherAccount({ person, offer }: { person: User; offer: Offer }) {
  const leave = useSignOut(useLocation().pathname);
  return (
    <Stack align="flex-start">
      <Text size="sm">
        You are signed in as {person.display_name} ({person.email}), but this invitation is for {offer.email}.
      </Text>
      {leave.error && <Failure error={leave.error} />}
      <Group>
        <Button loading={leave.isPending} onClick={() => leave.mutate()}>
          Sign out and continue
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
    title="This invitation is no longer valid"
    description="It was already answered, was revoked or has expired, or the link is incomplete. Ask for a new invitation."
  >
    <ButtonLink to={paths.home}>Go to home page</ButtonLink>
  </FrontPage>
);

/** Testers, and users on a phone, are redirected to the install page; others choose. */
function Accepted({ kind, offer }: { kind: InvitationKind; offer: Offer }) {
  const first = firstPath(kind, offer);
  const install = installPathFor(offer);
  if (first === install) return <Redirect to={install} />;
  return (
    <FrontPage title="Invitation accepted" description={`You now have access to ${offer.target}.`}>
      <Group>
        <ButtonLink to={first}>Open {offer.target}</ButtonLink>
        <Button component="a" href={install} variant="default">
          {offer.app ? 'Install latest release' : 'Apps to install'}
        </Button>
      </Group>
    </FrontPage>
  );
}

const Declined = () => (
  <FrontPage title="Invitation declined" description="Nothing changed in your account.">
    <ButtonLink to={paths.home}>Go to home page</ButtonLink>
  </FrontPage>
);
