import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconServerCog } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Runner,
  type RunnerOperations,
  useInviteRunner,
  useRemoveRunner,
  useRunners,
} from '../../api/builds/runners.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { DialogButtons } from '../../components/dialogs/dialog-buttons.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { Page } from '../../components/layout/page.tsx';
import { actionsColumn, timeColumn } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { RowButton } from '../../components/tables/row-button.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { formatCount } from '../../components/text/format-count.ts';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { Time } from '../../components/text/time.tsx';
import type { PermissionCheck } from '../../context/permissions.ts';

interface RunnerListProps {
  operations: RunnerOperations;
  description: string;
  /** Permissions of the user in this scope. */
  can: PermissionCheck;
}

const servesLabels: Record<Runner['serves'], string> = {
  app: 'This app',
  organization: 'Organization',
  server: 'All apps',
};

type Health = 'ready' | 'busy' | 'failing' | 'offline';

const getHealth = ({ is_online, trouble: lastError, running, slots }: Runner): Health => {
  if (!is_online) return 'offline';
  if (lastError !== undefined) return 'failing';
  return running >= slots ? 'busy' : 'ready';
};

const healthLabels: Record<Health, string> = {
  ready: 'Ready',
  busy: 'Busy',
  failing: 'Not accepting jobs',
  offline: 'Offline',
};
const healthColors: Record<Health, string> = { ready: 'green', busy: 'blue', failing: 'red', offline: 'gray' };

function RunnerHealth({ runner }: { runner: Runner }) {
  const health = getHealth(runner);
  const { slots, running, trouble: lastError } = runner;
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <Badge color={healthColors[health]}>{healthLabels[health]}</Badge>
        {runner.is_online && (
          <Text size="xs" c="dimmed">
            {running} of {formatCount(slots, 'slot')} in use
          </Text>
        )}
      </Group>
      {lastError !== undefined && (
        <Text size="xs" c="dimmed">
          {lastError}
        </Text>
      )}
    </Stack>
  );
}

const formatTools = ({ tools }: Runner): string => tools.map(({ name, version }) => `${name} ${version}`).join(', ');

/** Runners of a scope, with their tools and status, and registration. */
export function RunnerList({ operations, description, can }: RunnerListProps) {
  const runners = useRunners(operations);
  const [isAdding, adding] = useDisclosure();
  const canAdd = can(operations.needs.invite);
  const canRemove = can(operations.needs.remove);
  const removal = useConfirm<Runner>({
    title: ({ name }) => `Remove runner ${name}?`,
    action: 'Remove runner',
    consequence: ({ running }) =>
      `The runner's token stops working. ${running > 0 ? 'Its current jobs return to the queue. ' : ''}To use the machine again, register it with a new code.`,
    openDialog: useRemoveRunner(operations),
  });
  return (
    <Page
      title="Runners"
      description={description}
      actions={
        canAdd && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={adding.open}>
            New runner
          </Button>
        )
      }
    >
      <DataTable
        id="runner-list"
        label="Runners"
        query={runners}
        rowKey={({ id }) => id}
        outlineRows={2}
        empty={
          <EmptyState
            icon={<IconServerCog size={32} aria-hidden />}
            action={
              canAdd ? (
                <Stack gap="sm" align="center" maw="100%">
                  <Button onClick={adding.open}>Add runner</Button>
                  <Copyable value="mooring runner doctor" label="command that checks a machine" />
                </Stack>
              ) : undefined
            }
          >
            No runners yet. A runner is your own machine that builds and tests apps. It works behind any firewall.
          </EmptyState>
        }
        columns={[
          {
            id: 'runner',
            label: 'Runner',
            width: '20%',
            text: ({ name }) => name,
            cell: ({ name, version }) => (
              <Stack gap={0}>
                <Text size="sm" fw={600}>
                  {name}
                </Text>
                <Text size="xs" c="dimmed">
                  {version ? `mooring ${version}` : 'Never started'}
                </Text>
              </Stack>
            ),
          },
          {
            id: 'status',
            label: 'Status',
            width: 230,
            isWrapped: true,
            text: (runner) => `${healthLabels[getHealth(runner)]} ${runner.trouble ?? ''}`,
            cell: (runner) => <RunnerHealth runner={runner} />,
          },
          {
            id: 'tools',
            label: 'Tools',
            isWrapped: true,
            text: (runner) => `${runner.labels.join(' ')} ${formatTools(runner)}`,
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
                  {formatTools(runner) || 'Known after the first start'}
                </Text>
              </Stack>
            ),
          },
          ...(operations.serves === 'app'
            ? [
                {
                  id: 'scope',
                  label: 'Scope',
                  width: 140,
                  mobileDisplay: 'label' as const,
                  text: ({ serves }: Runner) => servesLabels[serves],
                  cell: ({ serves }: Runner) => servesLabels[serves],
                },
              ]
            : []),
          timeColumn<Runner>('last_seen', 'Last seen', ({ last_seen_at }) => last_seen_at, { none: 'Never' }),
          actionsColumn<Runner>(90, (runner) =>
            // Runners of a wider scope are removed there.
            canRemove && runner.serves === operations.serves ? (
              <RowButton label={`Remove ${runner.name}`} onClick={() => removal.open(runner)}>
                Remove
              </RowButton>
            ) : null,
          ),
        ]}
      />
      <Dialog opened={isAdding} onClose={adding.close} title="New runner" size="lg">
        <NewRunner operations={operations} onClose={adding.close} />
      </Dialog>
      {removal.dialog}
    </Page>
  );
}

function NewRunner({ operations, onClose }: { operations: RunnerOperations; onClose: () => void }) {
  const inviting = useInviteRunner(operations);
  // The code exists only in this dialog's state.
  const [made, setMade] = useState<{ code: string; expires_at: string }>();
  if (made) {
    const line = `mooring runner register ${window.location.origin} --code ${made.code}`;
    return (
      <SecretValue
        secrets={[
          ['Run on the machine', line],
          ['Then start it', 'mooring runner start'],
        ]}
        warning={
          <>
            The code works once and expires <Time at={made.expires_at} />. It is shown only once.
          </>
        }
        onClose={onClose}
      />
    );
  }
  return (
    <Stack>
      <Text size="sm">
        Create a registration code to register a machine. The code works once and expires after an hour. Runners only
        open outbound connections, so you need no open ports. With bubblewrap installed, builds run in a sandbox.
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
          Create code
        </Button>
      </DialogButtons>
    </Stack>
  );
}
