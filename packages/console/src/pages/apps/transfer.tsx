import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAppUsers, useTransferApp, useTransferToNewOrg } from '../../api/apps.ts';
import { useOrgs } from '../../api/organizations/orgs.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { Section } from '../../components/layout/page.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { appPath, pathTo } from '../../paths.ts';

/** Not a valid owner name. */
const NEW = '*';

export function TransferApp() {
  const { app } = useCurrentApp();
  const [to, setTo] = useState<string | null>(null);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <Section title="Transfer">
      <Paper withBorder p="lg" maw={720}>
        <Stack>
          <Text size="sm">
            Moves {app.display_name} to another owner, which changes its URL. Members keep access. API tokens of the app
            are revoked, and teams of its current organization lose access.
          </Text>
          <Group align="flex-end">
            <Select
              label="New owner"
              placeholder="Choose an organization or a member"
              data={useDestinations()}
              value={to}
              onChange={setTo}
              searchable
              limit={100}
              flex="1 1 14rem"
            />
            <Button variant="default" disabled={!to} onClick={() => setConfirming(true)}>
              Transfer app
            </Button>
          </Group>
        </Stack>
      </Paper>
      {isConfirming && to && <ConfirmTransfer to={to} onClose={() => setConfirming(false)} />}
    </Section>
  );
}

/** The server decides which of them can take the app. */
function useDestinations() {
  const { app, appRef } = useCurrentApp();
  const orgs = useOrgs().data ?? [];
  const users = useAppUsers(appRef).data ?? [];
  const others = <T extends { name: string; display_name: string }>(all: T[]) =>
    all
      .filter(({ name }) => name !== app.owner.name)
      .map(({ name, display_name }) => ({
        value: name,
        label: display_name === name ? name : `${display_name} (${name})`,
      }));
  return [
    {
      group: 'Organizations',
      items: [...others(orgs), { value: NEW, label: `New organization “${app.display_name}”` }],
    },
    { group: 'Members', items: others(users) },
  ];
}

function ConfirmTransfer({ to, onClose }: { to: string; onClose: () => void }) {
  const { app, appRef } = useCurrentApp();
  const navigate = useNavigate();
  const transfer = useTransferApp(appRef);
  const newOrgTransfer = useTransferToNewOrg(appRef);
  const isNew = to === NEW;
  const go = () =>
    isNew
      ? newOrgTransfer.mutate(undefined, {
          onSuccess: (org) => navigate(pathTo('org', { org: org.name }), { replace: true }),
        })
      : transfer.mutate(to, { onSuccess: (moved) => navigate(appPath(moved), { replace: true }) });
  return (
    <ConfirmDialog
      title={isNew ? 'Transfer app to a new organization?' : `Transfer app to ${to}?`}
      action="Transfer app"
      isDangerous
      mutation={isNew ? newOrgTransfer : transfer}
      onConfirm={go}
      onClose={onClose}
    >
      <Text>
        Update links and scripts that use {app.owner.name}/{app.name}, and create new tokens: the app's tokens are
        revoked. Only managers of the new owner can transfer it back.
      </Text>
    </ConfirmDialog>
  );
}
