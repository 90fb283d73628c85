import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { codePushDeployments_create } from '@mooring/contract';
import { IconCloudUpload, IconPlus } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { useCreateDeployment, useDeployments } from '../../api/codepush.ts';
import { Copyable } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { NameField, TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { NameLink } from '../../parts/links.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { pathTo } from '../../paths.ts';
import { ReleaseState } from './release-state.tsx';

export default function DeploymentsPage() {
  const { appRef, params, may } = useAppHere();
  const deployments = useDeployments(appRef);
  const [isCreating, creating] = useDisclosure();
  const canCreate = may(codePushDeployments_create);
  return (
    <Page
      title="CodePush"
      lead="Updates of an app's JavaScript that devices fetch by themselves."
      actions={
        canCreate && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={creating.open}>
            New deployment
          </Button>
        )
      }
    >
      <DataTable
        label="Deployments"
        reading={deployments}
        keyOf={({ name }) => name}
        empty={
          <Empty
            icon={<IconCloudUpload size={32} aria-hidden />}
            action={canCreate && <Button onClick={creating.open}>Create a deployment</Button>}
          >
            There are no deployments yet. Most teams have two: Staging, and Production.
          </Empty>
        }
        columns={[
          {
            label: 'Deployment',
            text: ({ name }) => name,
            cell: ({ name }) => (
              <NameLink to={pathTo('appDeployment', { ...params, deployment: name })}>{name}</NameLink>
            ),
          },
          {
            label: 'Newest release',
            text: ({ latest_release }) => latest_release?.label ?? '',
            cell: ({ latest_release }) => (latest_release ? <ReleaseState release={latest_release} /> : 'none yet'),
          },
          {
            label: 'Key',
            width: 420,
            text: ({ key = '' }) => key,
            cell: ({ name, key = '' }) => <Copyable value={key} label={`the key of ${name}`} />,
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
  const { appRef, params } = useAppHere();
  const creation = useCreateDeployment(appRef);
  const navigate = useNavigate();
  const ruleOf = fieldsOf(codePushDeployments_create);
  return (
    <Form
      action="Create"
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
      <TextField name="name" label="Name" rule={ruleOf('name')} placeholder="Staging" data-autofocus />
      <NameField
        name="key"
        label="Key"
        rule={ruleOf('key')}
        description="Of the server that you come from: apps in the field go on with it. Left out, a new one is made."
      />
    </Form>
  );
}
