import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { codePushDeployments_create } from '@mooring/contract';
import { IconCloudUpload, IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useCreateDeployment, useDeployments } from '../../api/releases/codepush.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { EmptyState } from '../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../components/forms/field-rules.ts';
import { NameField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { Page } from '../../components/layout/page.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { Copyable } from '../../components/text/copyable.tsx';
import { NameLink } from '../../components/text/links.tsx';
import { useCurrentApp } from '../../context/permissions.ts';
import { pathTo } from '../../paths.ts';
import { ReleaseState } from './release-state.tsx';

export default function DeploymentsPage() {
  const { appRef, params, can } = useCurrentApp();
  const deployments = useDeployments(appRef);
  const [isCreating, creating] = useDisclosure();
  const canCreate = can(codePushDeployments_create);
  return (
    <Page
      title="CodePush"
      description="Over-the-air updates for React Native and Cordova apps."
      actions={
        canCreate && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New deployment
          </Button>
        )
      }
    >
      <DataTable
        id="codepush-deployments"
        label="Deployments"
        query={deployments}
        rowKey={({ name }) => name}
        empty={
          <EmptyState
            icon={<IconCloudUpload size={32} aria-hidden />}
            action={canCreate && <Button onClick={creating.open}>Create deployment</Button>}
          >
            No deployments yet. Most teams use Staging and Production.
          </EmptyState>
        }
        columns={[
          {
            id: 'deployment',
            label: 'Deployment',
            text: ({ name }) => name,
            cell: ({ name }) => (
              <NameLink to={pathTo('appDeployment', { ...params, deployment: name })}>{name}</NameLink>
            ),
          },
          {
            id: 'latest_release',
            label: 'Latest release',
            text: ({ latest_release }) => latest_release?.label ?? '',
            cell: ({ latest_release }) => (latest_release ? <ReleaseState release={latest_release} /> : 'None'),
          },
          {
            id: 'key',
            label: 'Key',
            width: 420,
            text: ({ key = '' }) => key,
            cell: ({ name, key = '' }) => <Copyable value={key} label={`key of ${name}`} />,
          },
        ]}
      />
      <Dialog opened={isCreating} onClose={creating.close} title="New deployment">
        <NewDeployment onClose={creating.close} />
      </Dialog>
    </Page>
  );
}

function NewDeployment({ onClose }: { onClose: () => void }) {
  const { appRef, params } = useCurrentApp();
  const creation = useCreateDeployment(appRef);
  const navigate = useNavigate();
  const getRule = getBodyRules(codePushDeployments_create);
  return (
    <Form
      action="Create deployment"
      sending={creation}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) => {
        const key = fields.text('key');
        creation.mutate(
          { name: fields.text('name') ?? '', ...(key ? { key } : {}) },
          { onSuccess: ({ name }) => navigate(pathTo('appDeployment', { ...params, deployment: name })) },
        );
      }}
    >
      <TextField name="name" label="Name" rule={getRule('name')} placeholder="Staging" data-autofocus />
      <NameField
        name="key"
        label="Key"
        rule={getRule('key')}
        description="To migrate, enter the key of your previous server, so that installed apps keep working. Leave empty to create a key."
      />
    </Form>
  );
}
