import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useServerInfo } from '../../api/account.ts';
import { type Mail, useMails, useRevealLink } from '../../api/mails.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { DetailDrawer, useOpenRow } from '../../parts/detail-drawer.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import { Page } from '../../parts/page.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import type { Column } from '../../parts/table.ts';
import { useListQuery } from '../../parts/table-state.ts';
import { Time } from '../../parts/time.tsx';

export default function MailsPage() {
  const mails = useMails(useListQuery(['created_at', 'to', 'subject']));
  const sendsMail = useServerInfo().data?.sends_mail ?? true;
  const row = useOpenRow();
  const read = mails.data?.find(({ id }) => id === row.key);
  const lead = sendsMail
    ? 'What this server has written to people, newest first.'
    : 'No mail server is set (MOORING_SMTP_URL), so mails stay here: pass their links on yourself.';
  return (
    <Page title="Mail" lead={lead}>
      <DataTable
        label="Mails"
        reading={mails}
        columns={columns(sendsMail, (mail) => row.open(mail.id))}
        keyOf={({ id }) => id}
        search="Search mails"
        isServers
        empty={<Empty icon={<IconMail size={32} aria-hidden />}>No mail has been written yet.</Empty>}
      />
      <DetailDrawer title={read?.subject} isOpen={read !== undefined} onClose={row.close}>
        {read && <MailText key={read.id} mail={read} />}
      </DetailDrawer>
    </Page>
  );
}

const columns = (sendsMail: boolean, onRead: (mail: Mail) => void): Column<Mail>[] => [
  { label: 'To', sort: 'to', width: '24%', text: ({ to }) => to, cell: ({ to }) => to },
  { label: 'Subject', sort: 'subject', text: ({ subject }) => subject, cell: ({ subject }) => subject },
  timeColumn('Written', ({ created_at }) => created_at, { sort: 'created_at' }),
  {
    label: 'Status',
    width: 220,
    text: ({ sent_at, error }) => sent_at ?? error,
    cell: (mail) => <MailState mail={mail} sendsMail={sendsMail} />,
  },
  actionsColumn(80, (mail) => (
    <RowButton onClick={() => onRead(mail)} label={`Read: ${mail.subject}, to ${mail.to}`}>
      Read
    </RowButton>
  )),
];

function MailState({ mail: { sent_at, error }, sendsMail }: { mail: Mail; sendsMail: boolean }) {
  if (sent_at) {
    return (
      <span>
        Sent <Time at={sent_at} />
      </span>
    );
  }
  if (!error) return <Badge color="gray">{sendsMail ? 'Queued' : 'Kept here'}</Badge>;
  return (
    <Group gap="xs" wrap="nowrap">
      <Badge color="red">Failed</Badge>
      <Text size="xs" truncate>
        {error}
      </Text>
    </Group>
  );
}

function MailText({ mail }: { mail: Mail }) {
  const { to, text, has_link } = mail;
  return (
    <Stack>
      <Text size="sm" c="dimmed">
        To {to}
      </Text>
      <Text size="sm" style={{ whiteSpace: 'pre-wrap' }}>
        {text}
      </Text>
      {has_link && <MailLink mail={mail} />}
    </Stack>
  );
}

function MailLink({ mail }: { mail: Mail }) {
  const revealing = useRevealLink();
  // Kept here and nowhere else, and goes with the dialog.
  const [link, setLink] = useState<string>();
  if (link) {
    return (
      <div>
        <Text size="sm" fw={600}>
          Its link, for nobody but {mail.to}
        </Text>
        <Copyable value={link} label="the link" />
      </div>
    );
  }
  const reveal = () =>
    revealing.mutate(mail, {
      onSuccess: (revealed) => {
        setLink(revealed.link);
        revealing.reset();
      },
    });
  return (
    <div>
      <Button variant="default" loading={revealing.isPending} onClick={reveal}>
        Show its link
      </Button>
      <Text size="xs" c="dimmed">
        The audit log says who looked.
      </Text>
      {revealing.error && <Failure error={revealing.error} />}
    </div>
  );
}
