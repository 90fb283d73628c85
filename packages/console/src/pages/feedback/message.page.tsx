import { Anchor, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { feedback_delete, feedback_update, feedbackReplies_send } from '@mooring/contract';
import type { ReactNode } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useAppUsers } from '../../api/apps.ts';
import {
  type Feedback,
  pictureUrl,
  useChangeFeedback,
  useDeleteFeedback,
  useFeedback,
  useReplyToFeedback,
} from '../../api/telemetry/feedback.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { Form } from '../../components/forms/form.tsx';
import { LongTextField } from '../../components/forms/long-text-field.tsx';
import { Page, Section } from '../../components/layout/page.tsx';
import { DescriptionList } from '../../components/text/description-list.tsx';
import { TextLink } from '../../components/text/links.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { type FeedbackState, formatAppVersion, formatAuthor, sourceLabels, stateLabels } from './feedback-labels.tsx';
import { FeedbackTicketLine } from './feedback-ticket.tsx';

export default function FeedbackMessagePage() {
  const { feedback: id = '' } = useParams();
  const { appRef } = useCurrentApp();
  return (
    <QueryBoundary query={useFeedback(appRef, id)} isPage>
      {(feedback) => <FeedbackView key={feedback.id} feedback={feedback} />}
    </QueryBoundary>
  );
}

function FeedbackView({ feedback }: { feedback: Feedback }) {
  const { appRef, params, can } = useCurrentApp();
  const navigate = useNavigate();
  const deletion = useDeleteFeedback(appRef);
  const removal = useConfirm<Feedback>({
    title: () => 'Delete feedback?',
    action: 'Delete feedback',
    consequence: () => 'The message, its pictures and replies are deleted. This cannot be undone.',
    openDialog: {
      ...deletion,
      mutate: (subject, { onSuccess }) =>
        deletion.mutate(subject, {
          onSuccess: () => {
            onSuccess();
            void navigate(pathTo('appFeedback', params));
          },
        }),
    },
  });
  return (
    <Page
      title={`Feedback from ${formatAuthor(feedback)}`}
      actions={
        can(feedback_delete) && (
          <Button variant="default" color="red" onClick={() => removal.open(feedback)}>
            Delete
          </Button>
        )
      }
    >
      <Stack gap="md">
        <Paper withBorder p="md">
          <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{feedback.text}</Text>
        </Paper>
        <Pictures feedback={feedback} />
        {can(feedback_update) && <Triage feedback={feedback} />}
        <FeedbackTicketLine feedbackId={feedback.id} />
        <MessageDetails feedback={feedback} />
        <Replies feedback={feedback} />
      </Stack>
      {removal.dialog}
    </Page>
  );
}

function Pictures({ feedback: { id, pictures } }: { feedback: Feedback }) {
  const { appRef } = useCurrentApp();
  if (pictures.length === 0) return null;
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
      {pictures.map((picture, at) => {
        const url = pictureUrl(appRef, id, picture);
        if (picture.state !== 'ready') {
          return (
            <Text key={picture.id} size="sm" c="dimmed">
              {picture.state === 'waiting' ? 'Picture is being prepared…' : `Picture was removed: ${picture.note}`}
            </Text>
          );
        }
        return (
          <Anchor key={picture.id} href={url} target="_blank" rel="noreferrer">
            <img
              src={url}
              alt={`${at + 1} of ${pictures.length} sent with the message`}
              width={picture.width}
              height={picture.height}
              style={{ width: '100%', height: 'auto', maxHeight: 320, objectFit: 'contain' }}
            />
          </Anchor>
        );
      })}
    </SimpleGrid>
  );
}

function Triage({ feedback }: { feedback: Feedback }) {
  const { appRef } = useCurrentApp();
  const change = useChangeFeedback(appRef, feedback.id);
  const users = useAppUsers(appRef).data ?? [];
  const people = new Map(users.map(({ name, display_name }) => [name, display_name]));
  if (feedback.assignee) people.set(feedback.assignee.name, feedback.assignee.display_name);
  return (
    <Group gap="sm" align="end">
      <Select
        label="Status"
        data={Object.entries(stateLabels).map(([value, label]) => ({ value, label }))}
        value={feedback.state}
        allowDeselect={false}
        disabled={change.isPending}
        onChange={(state) => state && change.mutate({ state: state as FeedbackState })}
      />
      <Select
        label="Assignee"
        placeholder="Unassigned"
        data={[...people].map(([value, label]) => ({ value, label }))}
        value={feedback.assignee?.name ?? null}
        clearable
        searchable
        disabled={change.isPending}
        onChange={(assignee) => change.mutate({ assignee })}
      />
    </Group>
  );
}

function MessageDetails({ feedback }: { feedback: Feedback }) {
  const { params } = useCurrentApp();
  const { crash, release_id, account } = feedback;
  const version = formatAppVersion(feedback);
  const details: [label: string, value: ReactNode][] = [
    ['Received', <Time key="time" at={feedback.received_at} />],
    ['Sent with', sourceLabels[feedback.source]],
    ['Name', feedback.name],
    ['Email (not verified)', feedback.email],
    ['Account', account?.display_name],
    [
      'Version',
      release_id === undefined ? (
        version
      ) : (
        <TextLink key="release" to={pathTo('appRelease', { ...params, release: String(release_id) })}>
          {version || `Release ${release_id}`}
        </TextLink>
      ),
    ],
    [
      'Crash',
      crash?.issue_id && (
        <TextLink key="crash" to={pathTo('appCrash', { ...params, issue: crash.issue_id })}>
          Open issue
        </TextLink>
      ),
    ],
    ['Device', feedback.model],
    ['System', feedback.os],
    ['Language', feedback.locale],
    ['Screen', feedback.url],
    ['Install ID', feedback.install_id],
    ['User ID', feedback.user_id],
    ['Session', feedback.session_id],
  ];
  return <DescriptionList items={details.filter(([, value]) => value)} />;
}

function Replies({ feedback }: { feedback: Feedback }) {
  const { appRef, can } = useCurrentApp();
  const reply = useReplyToFeedback(appRef, feedback.id);
  const rule = getBodyRules(feedbackReplies_send)('text');
  const canReply = feedback.can_reply && can(feedbackReplies_send);
  if (feedback.replies.length === 0 && !canReply) return null;
  return (
    <Section title="Replies">
      <Stack gap="sm">
        {feedback.replies.map((one) => (
          <Paper key={one.id} withBorder p="md">
            <Text size="xs" c="dimmed">
              {one.author?.display_name ?? 'An app token'} to {one.to}, <Time at={one.sent_at} />
            </Text>
            <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
              {one.text}
            </Text>
          </Paper>
        ))}
        {canReply && (
          <Form
            action="Send reply"
            sending={reply}
            done={reply.isSuccess && 'Reply sent'}
            onSend={(fields, form) => reply.mutate(fields.text('text') ?? '', { onSuccess: () => form.reset() })}
          >
            <LongTextField
              name="text"
              label="Reply by email"
              rule={rule}
              description={`Sent to ${feedback.email}. The message above is not quoted.`}
            />
          </Form>
        )}
      </Stack>
    </Section>
  );
}
