import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { signInEffects } from '@mooring/contract';
import { useState } from 'react';
import { type SignInProvider, useSignInProviders } from '../../api/account/sign-in.ts';
import {
  type RuleEffect,
  useDeleteSignInRule,
  useSetSignInRule,
  useSignInRule,
  useSignInRulePreview,
} from '../../api/administration/sign-in-rules.ts';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { Failure } from '../../components/feedback/failure.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { Section } from '../../components/layout/page.tsx';
import { userColumns } from '../../components/tables/columns.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';

/** The rule that a provider replaces passwords, for an organization or, without one, for the server. */
export function SignInRule({ org }: { org?: string }) {
  const rule = useSignInRule(org);
  const providers = useSignInProviders();
  return (
    <Section
      title="Required sign-in"
      description="A provider can replace the passwords of people in its email domains. Administrators of the server keep theirs."
    >
      <Paper withBorder p="lg">
        <QueryBoundary query={rule}>
          {({ provider }) =>
            provider === undefined ? (
              <RequireProvider org={org} providers={providers.data ?? []} />
            ) : (
              <Required org={org} provider={provider} />
            )
          }
        </QueryBoundary>
      </Paper>
    </Section>
  );
}

function Required({ org, provider }: { org: string | undefined; provider: string }) {
  const removal = useConfirm<string>({
    title: () => 'Allow passwords?',
    action: 'Allow passwords',
    consequence: () => 'People can sign in with their passwords again, unless another rule forbids them.',
    openDialog: useDeleteSignInRule(org),
  });
  return (
    <Group justify="space-between">
      <Text>
        People in the domains of <strong>{provider}</strong> must sign in with it.
      </Text>
      <Button variant="default" onClick={() => removal.open(provider)}>
        Allow passwords
      </Button>
      {removal.dialog}
    </Group>
  );
}

function RequireProvider({ org, providers }: { org: string | undefined; providers: SignInProvider[] }) {
  const [chosen, setChosen] = useState<string | null>(null);
  if (providers.length === 0) return <Text c="dimmed">This server has no identity provider yet.</Text>;
  return (
    <Stack>
      <Select
        label="Identity provider"
        description="Choose one to see what requiring it does to each person."
        data={providers.map(({ name, display_name }) => ({ value: name, label: display_name }))}
        value={chosen}
        onChange={setChosen}
        maw={360}
      />
      {chosen !== null && <Preview org={org} provider={chosen} />}
    </Stack>
  );
}

function Preview({ org, provider }: { org: string | undefined; provider: string }) {
  const people = useSignInRulePreview(org, provider);
  const setting = useSetSignInRule(org);
  if (people.error) return <Failure error={people.error} />;
  return (
    <Stack>
      <DataTable
        id="sign-in-rule-effects"
        label="Effect on each person"
        query={people}
        columns={columns}
        rowKey={({ name }) => name}
        empty={null}
      />
      {setting.error != null && <Failure error={setting.error} />}
      <Group>
        <Button onClick={() => setting.mutate(provider)} loading={setting.isPending}>
          Require {provider}
        </Button>
      </Group>
    </Stack>
  );
}

const columns: Column<RuleEffect>[] = [
  ...userColumns<RuleEffect>((person) => person),
  {
    id: 'effect',
    label: 'Effect',
    width: '50%',
    text: ({ effect }) => signInEffects[effect],
    cell: ({ effect }) => (
      <Text size="sm" c={effect === 'locked_out' ? 'red' : undefined}>
        {signInEffects[effect]}
      </Text>
    ),
  },
];
