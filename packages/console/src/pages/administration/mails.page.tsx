import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconMail } from '@tabler/icons-react';
import { useState } from 'react';
import { useServerInfo } from '../../api/account/account.ts';
import { type Mail, useMails, useRevealLink } from '../../api/administration/mails.ts';
import { DetailDrawer, useOpenRow } from '../../components/dialogs/detail-drawer.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import type { Column } from '../../components/tables/table.ts';
import { useListQuery } from '../../components/tables/table-state.ts';
import { Copyable } from '../../components/text/copyable.tsx';
import { Time } from '../../components/text/time.tsx';

export default function MailsPage() {
  const mails = useMails(useListQuery(['created_at', 'to', 'subject']));
  const sendsMail = useServerInfo().data?.sends_mail ?? true;
  const row = useOpenRow();
  const read = mails.data?.find(({ id }) => id === row.key);
  const description = sendsMail
    ? 'All emails from this server, newest first.'
    : 'Email is not configured (MOORING_SMTP_URL), so emails stay here. Pass on their links yourself.';
  return (
    <Page title="Email" description={description}>
      <DataTable
        id="administration-mails"
        label="Emails"
        query={mails}
        columns={columns(sendsMail, (mail) => row.open(mail.id))}
        rowKey={({ id }) => id}
        search="Search emails"
        isServers
        empty={<EmptyState icon={<IconMail size={32} aria-hidden />}>No emails yet</EmptyState>}
      />
      <DetailDrawer title={read?.subject} isOpen={read !== undefined} onClose={row.close}>
        {read && <MailText key={read.id} mail={read} />}
      </DetailDrawer>
    </Page>
  );
}

const columns = (sendsMail: boolean, onRead: (mail: Mail) => void): Column<Mail>[] => [
  { id: 'to', label: 'To', sort: 'to', width: '24%', text: ({ to }) => to, cell: ({ to }) => to },
  { id: 'subject', label: 'Subject', sort: 'subject', text: ({ subject }) => subject, cell: ({ subject }) => subject },
  timeColumn('created_at', 'Created', ({ created_at }) => created_at, { sort: 'created_at' }),
  {
    id: 'status',
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
  if (!error) return <Badge color="gray">{sendsMail ? 'Queued' : 'Not sent'}</Badge>;
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
  // The link exists only in this dialog's state.
  const [link, setLink] = useState<string>();
  if (link) {
    return (
      <div>
        <Text size="sm" fw={600}>
          Link for {mail.to} only
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
        Show link
      </Button>
      <Text size="xs" c="dimmed">
        The audit log records who shows the link.
      </Text>
      {revealing.error && <Failure error={revealing.error} />}
    </div>
  );
}
