import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { orgScimTokens_create } from '@mooring/contract';
import { useState } from 'react';
import {
  type ScimToken,
  useCreateScimToken,
  useDeleteScimToken,
  useProvisioning,
  useScimTokens,
  useSetOrgDomains,
} from '../../api/organizations/provisioning.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../components/dialogs/use-confirm.tsx';
import { QueryBoundary } from '../../components/feedback/query-boundary.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Section } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import type { Column } from '../../components/tables/table.ts';
import { SecretValue } from '../../components/text/secret-value.tsx';
import { Time } from '../../components/text/time.tsx';
import { useCurrentUser } from '../../context/current-user.ts';

/** The SCIM URL of an organization, its tokens, and its domains. */
export function Provisioning({ org }: { org: string }) {
  const state = useProvisioning(org);
  const { is_admin } = useCurrentUser();
  return (
    <Section
      title="Provisioning"
      description="A directory such as Entra ID or Okta can manage users and teams with SCIM 2.0. It creates, renames and disables accounts in the domains of the organization; of other members it controls only the membership."
    >
      <Paper withBorder p="lg">
        <QueryBoundary query={state}>
          {({ base_url, domains, users, groups }) => (
            <Stack>
              <Text size="sm">
                SCIM URL: <code>{base_url}</code>
              </Text>
              <Text size="sm">
                {users} users and {groups} groups in the directory.
              </Text>
              {is_admin ? (
                <Domains key={domains.join()} org={org} domains={domains} />
              ) : (
                <Text size="sm">
                  {domains.length > 0
                    ? `Domains: ${domains.join(', ')}.`
                    : 'The organization has no domains yet. Ask an administrator of the server to add them.'}
                </Text>
              )}
              <Tokens org={org} />
            </Stack>
          )}
        </QueryBoundary>
      </Paper>
    </Section>
  );
}

function Domains({ org, domains }: { org: string; domains: string[] }) {
  const setting = useSetOrgDomains(org);
  return (
    <Form
      action="Save domains"
      sending={setting}
      done={setting.isSuccess && 'Saved.'}
      onSend={(fields) => setting.mutate((fields.text('domains') ?? '').split(/[\s,]+/).filter(Boolean))}
    >
      <TextField
        name="domains"
        label="Domains"
        rule={{ isRequired: false }}
        description="Separated by commas. You vouch that the organization owns them."
        placeholder="example.com, example.org"
        defaultValue={domains.join(', ')}
        autoComplete="off"
      />
    </Form>
  );
}

function Tokens({ org }: { org: string }) {
  const tokens = useScimTokens(org);
  const [isCreating, setCreating] = useState(false);
  const revocation = useConfirm<ScimToken>({
    title: ({ last_four }) => `Revoke SCIM token …${last_four}?`,
    action: 'Revoke token',
    consequence: () => 'The directory that uses it can no longer change users and groups.',
    openDialog: useDeleteScimToken(org),
  });
  const columns: Column<ScimToken>[] = [
    {
      id: 'description',
      label: 'Name',
      text: ({ description = 'Unnamed' }) => description,
      cell: ({ description = 'Unnamed', last_four }) => `${description} …${last_four}`,
    },
    {
      id: 'last_used_at',
      label: 'Last used',
      text: ({ last_used_at = 'Never' }) => last_used_at,
      cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : 'Never'),
    },
    {
      id: 'revoke',
      label: 'Revoke',
      text: () => '',
      cell: (token) => (
        <Button size="xs" variant="default" onClick={() => revocation.open(token)}>
          Revoke
        </Button>
      ),
    },
  ];
  return (
    <Stack>
      <DataTable
        id="scim-tokens"
        label="SCIM tokens"
        query={tokens}
        columns={columns}
        rowKey={({ id }) => id}
        empty={<Text size="sm">No SCIM tokens yet.</Text>}
      />
      <Group>
        <Button variant="default" onClick={() => setCreating(true)}>
          New SCIM token
        </Button>
      </Group>
      <Dialog opened={isCreating} onClose={() => setCreating(false)} title="New SCIM token">
        <NewToken org={org} onClose={() => setCreating(false)} />
      </Dialog>
      {revocation.dialog}
    </Stack>
  );
}

function NewToken({ org, onClose }: { org: string; onClose: () => void }) {
  const creation = useCreateScimToken(org);
  // The token's value exists only in this dialog's state.
  const [value, setValue] = useState<string>();
  if (value) {
    const warning = "Copy the token now. You can't see it again after closing this dialog.";
    return <SecretValue secrets={[['SCIM token', value]]} warning={warning} onClose={onClose} />;
  }
  return (
    <Form
      action="Create token"
      sending={creation}
      onCancel={onClose}
      onSend={(fields) =>
        creation.mutate(fields.text('description'), {
          onSuccess: ({ scim_token }) => {
            setValue(scim_token);
            creation.reset();
          },
        })
      }
    >
      <TextField
        name="description"
        label="Name"
        rule={getBodyRules(orgScimTokens_create)('description')}
        description="The directory that uses it."
        placeholder="Entra ID"
        autoComplete="off"
        data-autofocus
      />
    </Form>
  );
}
