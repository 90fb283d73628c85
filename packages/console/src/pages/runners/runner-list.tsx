import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconServerCog } from '@tabler/icons-react';
import { useState } from 'react';
import { type Runner, type RunnerOperations, useInviteRunner, useRemoveRunner, useRunners } from '../../api/runners.ts';
import { actionsColumn, timeColumn } from '../../parts/columns.tsx';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Empty } from '../../parts/empty.tsx';
import { Failure } from '../../parts/failure.tsx';
import type { May } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { SecretValue } from '../../parts/secret-value.tsx';
import { Time } from '../../parts/time.tsx';

interface RunnerListProps {
  of: RunnerOperations;
  lead: string;
  /** Whether the reader may do it here. */
  may: May;
}

const servesWords: Record<Runner['serves'], string> = {
  app: 'This app',
  organization: 'Its organization',
  server: 'All apps',
};

type Health = 'ready' | 'busy' | 'troubled' | 'offline';

const healthOf = ({ is_online, trouble, running, slots }: Runner): Health => {
  if (!is_online) return 'offline';
  if (trouble !== undefined) return 'troubled';
  return running >= slots ? 'busy' : 'ready';
};

const healthWords: Record<Health, string> = {
  ready: 'Ready',
  busy: 'Busy',
  troubled: 'Takes no work',
  offline: 'Offline',
};
const healthColors: Record<Health, string> = { ready: 'green', busy: 'blue', troubled: 'red', offline: 'gray' };

function HealthOf({ runner }: { runner: Runner }) {
  const health = healthOf(runner);
  const { slots, running, trouble } = runner;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={healthColors[health]}>{healthWords[health]}</Badge>
        {runner.is_online && (
          <Text size="xs" c="dimmed">
            {running} of {slots} {slots === 1 ? 'slot' : 'slots'} in use
          </Text>
        )}
      </Group>
      {trouble !== undefined && (
        <Text size="xs" c="dimmed">
          {trouble}
        </Text>
      )}
    </Stack>
  );
}

const toolsInWords = ({ tools }: Runner): string => tools.map(({ name, version }) => `${name} ${version}`).join(', ');

/** Runners of one scope: what they have, how they are, and how another becomes one. */
export function RunnerList({ of, lead, may }: RunnerListProps) {
  const runners = useRunners(of);
  const [isAdding, adding] = useDisclosure();
  const mayAdd = may(of.needs.invite);
  const mayRemove = may(of.needs.remove);
  const removal = useQuestion<Runner>({
    title: ({ name }) => `Remove the runner ${name}?`,
    action: 'Remove',
    loss: ({ running }) =>
      `Its token ends at once. ${running > 0 ? 'What it is doing goes back to the queue. ' : ''}To use the machine again, register it with a new code.`,
    doing: useRemoveRunner(of),
  });
  return (
    <Page
      title="Runners"
      lead={lead}
      actions={
        mayAdd && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            New runner
          </Button>
        )
      }
    >
      <DataTable
        label="Runners"
        reading={runners}
        keyOf={({ id }) => id}
        outlineRows={2}
        empty={
          <Empty
            icon={<IconServerCog size={32} aria-hidden />}
            action={
              mayAdd ? (
                <Stack gap="sm" align="center" maw="100%">
                  <Button onClick={adding.open}>Add a runner</Button>
                  <Copyable value="mooring runner doctor" label="the command that says what a machine has" />
                </Stack>
              ) : undefined
            }
          >
            There are no runners yet. A runner is a machine of yours that builds: where your tools are, behind any
            firewall.
          </Empty>
        }
        columns={[
          {
            label: 'Runner',
            width: '20%',
            text: ({ name }) => name,
            cell: ({ name, version }) => (
              <Stack gap={0}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {version ? `mooring ${version}` : 'never started'}
                </Text>
              </Stack>
            ),
          },
          {
            label: 'Health',
            width: 230,
            isWrapped: true,
            text: (runner) => `${healthWords[healthOf(runner)]} ${runner.trouble ?? ''}`,
            cell: (runner) => <HealthOf runner={runner} />,
          },
          {
            label: 'Has',
            isWrapped: true,
            text: (runner) => `${runner.labels.join(' ')} ${toolsInWords(runner)}`,
            cell: (runner) => (
              <Stack gap={4}>
                <Group gap={4}>
                  {runner.labels.map((label) => (
                    <Badge key={label} color="gray" size="sm">
                      {label}
                    </Badge>
                  ))}
                </Group>
                <Text size="xs" c="dimmed">
                  {toolsInWords(runner) || 'Known once it has started.'}
                </Text>
              </Stack>
            ),
          },
          ...(of.serves === 'app'
            ? [
                {
                  label: 'Serves',
                  width: 140,
                  onPhone: 'label' as const,
                  text: ({ serves }: Runner) => servesWords[serves],
                  cell: ({ serves }: Runner) => servesWords[serves],
                },
              ]
            : []),
          timeColumn<Runner>('Seen', ({ last_seen_at }) => last_seen_at, { none: 'never' }),
          actionsColumn<Runner>(90, (runner) =>
            // One that serves more is removed where it belongs.
            mayRemove && runner.serves === of.serves ? (
              <RowButton label={`Remove ${runner.name}`} onClick={() => removal.ask(runner)}>
                Remove
              </RowButton>
            ) : null,
          ),
        ]}
      />
      <Dialog opened={isAdding} onClose={adding.close} title="New runner" size="lg">
        <NewRunner of={of} onClose={adding.close} />
      </Dialog>
      {removal.dialog}
    </Page>
  );
}

function NewRunner({ of, onClose }: { of: RunnerOperations; onClose: () => void }) {
  const inviting = useInviteRunner(of);
  // Kept here and nowhere else, and goes with the dialog.
  const [made, setMade] = useState<{ code: string; expires_at: string }>();
  if (made) {
    const line = `mooring runner register ${window.location.origin} --code ${made.code}`;
    return (
      <SecretValue
        secrets={[
          ['On the machine', line],
          ['And then', 'mooring runner start'],
        ]}
        warning={
          <>
            The code works once, and ends <Time at={made.expires_at} />. It is shown this once.
          </>
        }
        onClose={onClose}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">
        A machine becomes a runner with a code that works once, for an hour. It only asks outwards, so no port has to be
        opened. Builds run in a sandbox where the machine has bubblewrap.
      </Text>
      {inviting.error && <Failure error={inviting.error} />}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          loading={inviting.isPending}
          onClick={() =>
            inviting.mutate(undefined, {
              onSuccess: (code) => {
                setMade(code);
                inviting.reset();
              },
            })
          }
        >
          Make a code
        </Button>
      </DialogButtons>
    </Stack>
  );
}
