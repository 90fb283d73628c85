import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useAppUsers, useTransferApp, useTransferToNewOrg } from '../../api/apps.ts';
import { useOrgs } from '../../api/orgs.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Part } from '../../parts/page.tsx';
import { appPath, pathTo } from '../../paths.ts';

/** A name that no owner can have. */
const NEW = '*';

export function TransferApp() {
  const { app } = useAppHere();
  const [to, setTo] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);
  return (
    <Part title="Transfer">
      <Paper withBorder p="lg" maw={720}>
        <Stack>
          <Text size="sm">
            Gives {app.display_name} to another owner, and so another address. Users of the app stay; its API tokens are
            revoked, and teams of an organization that it leaves lose it.
          </Text>
          <Group align="flex-end">
            <Select
              label="New owner"
              placeholder="Choose an organization or a user of the app"
              data={useDestinations()}
              value={to}
              onChange={setTo}
              searchable
              limit={100}
              flex="1 1 14rem"
            />
            <Button variant="default" disabled={!to} onClick={() => setAsking(true)}>
              Transfer
            </Button>
          </Group>
        </Stack>
      </Paper>
      {isAsking && to && <ConfirmTransfer to={to} onClose={() => setAsking(false)} />}
    </Part>
  );
}

/** Whether one of them takes the app is for the server to say. */
function useDestinations() {
  const { app, appRef } = useAppHere();
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
      items: [...others(orgs), { value: NEW, label: `A new one, named after ${app.display_name}` }],
    },
    { group: 'Users of the app', items: others(users) },
  ];
}

function ConfirmTransfer({ to, onClose }: { to: string; onClose: () => void }) {
  const { app, appRef } = useAppHere();
  const navigate = useNavigate();
  const transfer = useTransferApp(appRef);
  const found = useTransferToNewOrg(appRef);
  const isNew = to === NEW;
  const go = () =>
    isNew
      ? found.mutate(undefined, { onSuccess: (org) => navigate(pathTo('org', { org: org.name }), { replace: true }) })
      : transfer.mutate(to, { onSuccess: (moved) => navigate(appPath(moved), { replace: true }) });
  return (
    <Confirm
      title={isNew ? 'Transfer to a new organization?' : `Transfer to ${to}?`}
      action="Transfer"
      isDangerous
      doing={isNew ? found : transfer}
      onConfirm={go}
      onClose={onClose}
    >
      <Text>
        Links and scripts that use {app.owner.name}/{app.name} have to be changed to the new owner, and need new tokens:
        those of the app are revoked. Only the new owner's managers can give it back.
      </Text>
    </Confirm>
  );
}
