import { Badge, Button, Select, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { stores_create, stores_delete, stores_setCredentials } from '@mooring/contract';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type Store, useConnectStore, useDisconnectStore, useSetCredentials, useStores } from '../../api/stores.ts';
import { actionsColumn } from '../../parts/columns.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Empty } from '../../parts/empty.tsx';
import { fieldsOf } from '../../parts/field-rules.ts';
import { TextField } from '../../parts/fields.tsx';
import { Form } from '../../parts/form.tsx';
import { useAppHere } from '../../parts/may.ts';
import { Page } from '../../parts/page.tsx';
import { useQuestion } from '../../parts/question.tsx';
import { RowButton } from '../../parts/row-button.tsx';
import { readServiceAccount } from './service-account.ts';

const types: Record<Store['type'], string> = { googleplay: 'Google Play', intune: 'Intune', apple: 'App Store' };
const tracks = ['production', 'beta', 'alpha'] as const;
type Track = (typeof tracks)[number];

/** Where releases of the app are published. */
export default function StoresPage() {
  const { appRef, may } = useAppHere();
  const stores = useStores(appRef);
  const [isConnecting, connecting] = useDisclosure();
  const [signing, setSigning] = useState<Store>();
  const question = useQuestion<Store>({
    title: ({ name }) => `Disconnect ${name}?`,
    action: 'Disconnect',
    loss: () => 'Its key is forgotten. What was published stays in the store.',
    doing: useDisconnectStore(appRef),
  });
  const canConnect = may(stores_create);
  return (
    <Page
      title="Stores"
      lead="Where releases are published: choose a store when you distribute one."
      actions={
        canConnect && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={connecting.open}>
            Connect Google Play
          </Button>
        )
      }
    >
      <DataTable
        label="Stores"
        reading={stores}
        keyOf={({ id }) => id}
        empty={
          <Empty icon={<IconBuildingStore size={32} aria-hidden />}>
            The app is connected with no store. Google Play can be published to from here; other stores need tools that
            run elsewhere.
          </Empty>
        }
        columns={[
          { label: 'Store', text: ({ name }) => name, cell: ({ name }) => name },
          { label: 'Kind', width: 130, text: ({ type }) => types[type], cell: ({ type }) => types[type] },
          { label: 'Track', width: 130, text: ({ track = '' }) => track, cell: ({ track }) => track ?? '—' },
          {
            label: 'Publishing',
            width: 170,
            onPhone: 'label',
            cell: ({ has_credentials }) =>
              has_credentials ? <Badge color="green">Ready</Badge> : <Badge color="yellow">Needs a key</Badge>,
          },
          actionsColumn<Store>(190, (store) => (
            <>
              {may(stores_setCredentials) && store.type === 'googleplay' && (
                <RowButton label={`Key of ${store.name}`} onClick={() => setSigning(store)}>
                  Key
                </RowButton>
              )}
              {may(stores_delete) && (
                <RowButton label={`Disconnect ${store.name}`} onClick={() => question.ask(store)}>
                  Disconnect
                </RowButton>
              )}
            </>
          )),
        ]}
      />
      {question.dialog}
      <Dialog opened={isConnecting} onClose={connecting.close} title="Connect Google Play">
        <Connect onClose={connecting.close} onConnected={setSigning} />
      </Dialog>
      <Dialog opened={signing !== undefined} onClose={() => setSigning(undefined)} title={`Key of ${signing?.name}`}>
        {signing && <Key store={signing} onClose={() => setSigning(undefined)} />}
      </Dialog>
    </Page>
  );
}

const rule = fieldsOf(stores_create);

function Connect({ onClose, onConnected }: { onClose: () => void; onConnected: (store: Store) => void }) {
  const { appRef } = useAppHere();
  const connection = useConnectStore(appRef);
  const [track, setTrack] = useState<Track>('production');
  return (
    <Form
      action="Connect"
      sending={connection}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        connection.mutate(
          { type: 'googleplay', name: fields.text('name') ?? '', track },
          {
            onSuccess: (store) => {
              onClose();
              onConnected(store);
            },
          },
        )
      }
    >
      <TextField name="name" label="Name" rule={rule('name')} placeholder="Google Play" data-autofocus />
      <Select
        label="Track"
        data={[...tracks]}
        value={track}
        onChange={(value) => setTrack(tracks.find((one) => one === value) ?? 'production')}
        allowDeselect={false}
      />
    </Form>
  );
}

function Key({ store, onClose }: { store: Store; onClose: () => void }) {
  const { appRef } = useAppHere();
  const setting = useSetCredentials(appRef, store.name);
  const [problem, setProblem] = useState<string>();
  return (
    <Form
      action="Save"
      sending={setting}
      onCancel={onClose}
      onSend={(fields) => {
        const account = readServiceAccount(fields.secret('service_account'));
        setProblem(account ? undefined : 'This is not the JSON file of a key of a service account.');
        if (account) setting.mutate(account, { onSuccess: onClose });
      }}
    >
      <Text size="sm">
        In the Google Cloud console, make a key of a service account that may release in the Play Console. It is kept
        sealed, and never shown again.
      </Text>
      <Textarea
        name="service_account"
        label="Key of the service account, as JSON"
        autosize
        minRows={4}
        maxRows={10}
        error={problem}
        data-autofocus
      />
    </Form>
  );
}
