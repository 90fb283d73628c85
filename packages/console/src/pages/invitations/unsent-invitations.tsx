import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconMailOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useMails, useRevealLink } from '../../api/administration/mails.ts';
import { Failure } from '../../components/feedback/failure.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { useCurrentUser } from '../../context/current-user.ts';

/** Warns that no invitation can leave this server. */
export const EmailWarning = () => (
  <Alert color="yellow" icon={<IconMailOff aria-hidden />} title="Email isn't configured">
    {useCurrentUser().is_admin
      ? 'No email leaves this server. Copy the invitation links afterwards, and pass them on.'
      : 'No email leaves this server. Ask an administrator for the invitation links.'}
  </Alert>
);

/** More invitations are easier to handle in the outbox. */
const MAX_LINKS = 20;

/** Links of invitations that stay in the outbox. Only administrators may read them, and each reading is recorded. */
export function UnsentInvitations({ emails }: { emails: string[] }) {
  const { is_admin } = useCurrentUser();
  return (
    <Stack gap="xs">
      {is_admin && emails.slice(0, MAX_LINKS).map((email) => <InvitationLink key={email} email={email} />)}
      {is_admin && emails.length > MAX_LINKS && <Text size="sm">The outbox has the other links.</Text>}
    </Stack>
  );
}

function InvitationLink({ email }: { email: string }) {
  const mail = useMails({ search: email, sort: 'created_at', order: 'desc' }).data?.find(
    ({ to, has_link }) => has_link && to.toLowerCase() === email.toLowerCase(),
  );
  const revealing = useRevealLink();
  const [link, setLink] = useState<string>();
  return (
    <Group gap="sm" wrap="nowrap" justify="space-between">
      <Text size="sm" truncate>
        {email}
      </Text>
      {link ? (
        <Copyable value={link} label={`invitation link for ${email}`} />
      ) : (
        <Button
          variant="default"
          size="xs"
          disabled={!mail}
          loading={revealing.isPending}
          aria-label={`Show invitation link for ${email}`}
          onClick={() =>
            mail &&
            revealing.mutate(mail, {
              onSuccess: (answer) => {
                setLink(answer.link);
                revealing.reset();
              },
            })
          }
        >
          Show link
        </Button>
      )}
      {revealing.error && <Failure error={revealing.error} title="Couldn't show the link" />}
    </Group>
  );
}
