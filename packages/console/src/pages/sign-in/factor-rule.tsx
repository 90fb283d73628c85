import { Button, Group, NumberInput, Paper, Stack, Text } from '@mantine/core';
import { factorEffects } from '@mooring/contract';
import { useState } from 'react';
import {
  type FactorPerson,
  useDeleteFactorRule,
  useFactorRule,
  useFactorRulePreview,
  useSetFactorRule,
} from '../../api/administration/factor-rules.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { Time } from '../../components/text/time.tsx';

/** The rule that passwords need a second factor, for an organization or, without one, for the server. */
export function FactorRule({ org }: { org?: string }) {
  const rule = useFactorRule(org);
  return (
    <Section
      title="Required second factor"
      description="People with a password set up an authenticator app or a passkey. Sessions and API tokens stay valid."
    >
      <Paper withBorder p="lg">
        <QueryBoundary query={rule}>
          {({ required_from }) =>
            required_from === undefined ? <RequireFactor org={org} /> : <Required org={org} from={required_from} />
          }
        </QueryBoundary>
      </Paper>
    </Section>
  );
}

function Required({ org, from }: { org: string | undefined; from: string }) {
  const removal = useConfirm<string>({
    title: () => 'No longer require a second factor?',
    action: 'Remove requirement',
    consequence: () => 'Passwords alone sign in again, unless another rule forbids that.',
    openDialog: useDeleteFactorRule(org),
  });
  return (
    <Group justify="space-between">
      <Text>
        A second factor is required. End of the grace period: <Time at={from} />.
      </Text>
      <Button variant="default" onClick={() => removal.open(from)}>
        Remove requirement
      </Button>
      {removal.dialog}
    </Group>
  );
}

function RequireFactor({ org }: { org: string | undefined }) {
  const [isOpen, setOpen] = useState(false);
  const [days, setDays] = useState<number | string>(14);
  const people = useFactorRulePreview(org);
  const setting = useSetFactorRule(org);
  if (!isOpen) {
    return (
      <Button variant="default" onClick={() => setOpen(true)}>
        Show effect of a second factor
      </Button>
    );
  }
  return (
    <Stack>
      {people.error && <Failure error={people.error} />}
      <DataTable
        id="factor-rule-effects"
        label="Second factor of each person"
        query={people}
        columns={columns}
        rowKey={({ name }) => name}
        empty={null}
      />
      <NumberInput label="Days of grace" value={days} onChange={setDays} min={0} max={90} maw={160} />
      {setting.error != null && <Failure error={setting.error} />}
      <Group>
        <Button onClick={() => setting.mutate(Number(days) || 0)} loading={setting.isPending}>
          Require second factor
        </Button>
      </Group>
    </Stack>
  );
}

const columns: Column<FactorPerson>[] = [
  ...userColumns<FactorPerson>((person) => person),
  {
    id: 'effect',
    label: 'Effect',
    width: '50%',
    text: ({ effect }) => factorEffects[effect],
    cell: ({ effect }) => factorEffects[effect],
  },
];
