import { Badge, Button, Select, Text, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { stores_create, stores_delete, stores_setCredentials } from '@mooring/contract';
import { IconBuildingStore, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type Store,
  useConnectStore,
  useDisconnectStore,
  useSetCredentials,
  useStores,
} from '../../../api/releases/stores.ts';
import { Dialog } from '../../../components/dialogs/dialog.tsx';
import { useConfirm } from '../../../components/dialogs/use-confirm.tsx';
import { EmptyState } from '../../../components/feedback/empty-state.tsx';
import { getBodyRules } from '../../../components/forms/field-rules.ts';
import { TextField } from '../../../components/forms/fields.tsx';
import { Form } from '../../../components/forms/form.tsx';
import { Page } from '../../../components/layout/page.tsx';
import { actionsColumn } from '../../../components/tables/columns.tsx';
import { DataTable } from '../../../components/tables/data-table.tsx';
import { RowButton } from '../../../components/tables/row-button.tsx';
import { useCurrentApp } from '../../../context/permissions.ts';
import { AppleMappingSection } from './apple-mapping.tsx';
import { readSecrets, readServiceAccount } from './service-account.ts';

const types: Record<Store['type'], string> = { googleplay: 'Google Play', intune: 'Intune', apple: 'App Store' };
const tracks: Record<Store['type'], NonNullable<Store['track']>[]> = {
  googleplay: ['production', 'beta', 'alpha'],
  apple: ['production', 'testflight-internal', 'testflight-external'],
  intune: [],
};
/** Stores that fit the app's operating system; apps for custom systems can use all of them. */
const typesFor = (os: string): Store['type'][] => {
  if (os === 'Android') return ['googleplay', 'intune'];
  if (os === 'Windows') return ['intune'];
  return os === 'Custom' ? ['googleplay', 'apple', 'intune'] : ['apple', 'intune'];
};

export default function StoresPage() {
  const { app, appRef, can } = useCurrentApp();
  const stores = useStores(appRef);
  const [isConnecting, connecting] = useDisclosure();
  const [signing, setSigning] = useState<Store>();
  const confirmation = useConfirm<Store>({
    title: ({ name }) => `Disconnect store ${name}?`,
    action: 'Disconnect store',
    consequence: () => 'Deletes the stored key. Published releases stay in the store.',
    openDialog: useDisconnectStore(appRef),
  });
  const canConnect = can(stores_create);
  return (
    <Page
      title="Stores"
      description="Publish releases to app stores. Choose a store when you distribute a release."
      actions={
        canConnect && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={connecting.open}>
            Connect store
          </Button>
        )
      }
    >
      <DataTable
        id="stores"
        label="Stores"
        query={stores}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={<IconBuildingStore size={32} aria-hidden />}>
            No stores connected. This server publishes to Google Play itself, and to the App Store and Intune through a
            command on your runner.
          </EmptyState>
        }
        columns={[
          { id: 'store', label: 'Store', text: ({ name }) => name, cell: ({ name }) => name },
          { id: 'type', label: 'Type', width: 130, text: ({ type }) => types[type], cell: ({ type }) => types[type] },
          {
            id: 'track',
            label: 'Track',
            width: 130,
            text: ({ track = '' }) => track,
            cell: ({ track }) => track ?? '—',
          },
          {
            id: 'status',
            label: 'Status',
            mobileDisplay: 'label',
            cell: ({ missing }) => (missing ? <Text size="sm">{missing}</Text> : <Badge color="green">Ready</Badge>),
          },
          actionsColumn<Store>(190, (store) => (
            <>
              {can(stores_setCredentials) && (
                <RowButton label={`Set key of ${store.name}`} onClick={() => setSigning(store)}>
                  Set key
                </RowButton>
              )}
              {can(stores_delete) && (
                <RowButton label={`Disconnect ${store.name}`} onClick={() => confirmation.open(store)}>
                  Disconnect
                </RowButton>
              )}
            </>
          )),
        ]}
      />
      {confirmation.dialog}
      {typesFor(app.os).includes('apple') && <AppleMappingSection />}
      <Dialog opened={isConnecting} onClose={connecting.close} title="Connect store">
        <Connect onClose={connecting.close} onConnected={setSigning} />
      </Dialog>
      <Dialog
        opened={signing !== undefined}
        onClose={() => setSigning(undefined)}
        title={`Set key of ${signing?.name}`}
      >
        {signing && <Key store={signing} onClose={() => setSigning(undefined)} />}
      </Dialog>
    </Page>
  );
}

const rule = getBodyRules(stores_create);

function Connect({ onClose, onConnected }: { onClose: () => void; onConnected: (store: Store) => void }) {
  const { app, appRef } = useCurrentApp();
  const connection = useConnectStore(appRef);
  const offered = typesFor(app.os);
  const [type, setType] = useState<Store['type']>(offered[0] ?? 'intune');
  const [track, setTrack] = useState<Store['track']>();
  const [usual] = tracks[type];
  const chosen = tracks[type].find((one) => one === track) ?? usual;
  return (
    <Form
      action="Connect store"
      sending={connection}
      conflict="name"
      onCancel={onClose}
      onSend={(fields) =>
        connection.mutate(
          { type, name: fields.text('name') ?? '', ...(chosen ? { track: chosen } : {}) },
          {
            onSuccess: (store) => {
              onClose();
              onConnected(store);
            },
          },
        )
      }
    >
      <Select
        label="Store"
        data={offered.map((value) => ({ value, label: types[value] }))}
        value={type}
        onChange={(value) => setType(offered.find((one) => one === value) ?? type)}
        allowDeselect={false}
      />
      <TextField name="name" label="Name" rule={rule('name')} placeholder={types[type]} data-autofocus />
      {chosen && (
        <Select
          label="Track"
          data={tracks[type]}
          value={chosen}
          onChange={(value) => setTrack(tracks[type].find((one) => one === value))}
          allowDeselect={false}
        />
      )}
    </Form>
  );
}

const keyTexts = {
  googleplay: {
    description:
      'In the Google Cloud console, create a key for a service account with release permission in the Play Console.',
    label: 'Service account key (JSON)',
    problem: 'Not a service account key. Paste the JSON file from Google Cloud.',
  },
  runner: {
    description:
      'Named credentials for the publishing command on your runner. Only that command gets them. Leave empty if the machine has its own credentials.',
    label: 'Secrets (JSON)',
    problem: 'Enter a JSON object with a string for each name.',
  },
};

function Key({ store, onClose }: { store: Store; onClose: () => void }) {
  const { appRef } = useCurrentApp();
  const setting = useSetCredentials(appRef, store.name);
  const [isWrong, setWrong] = useState(false);
  const isPlay = store.type === 'googleplay';
  const texts = isPlay ? keyTexts.googleplay : keyTexts.runner;
  const readKey = (text: string) => {
    if (!isPlay) return readSecrets(text);
    const service_account = readServiceAccount(text);
    return service_account && { service_account };
  };
  return (
    <Form
      action="Save key"
      sending={setting}
      onCancel={onClose}
      onSend={(fields) => {
        const key = readKey(fields.secret('key'));
        setWrong(!key);
        if (key) setting.mutate(key, { onSuccess: onClose });
      }}
    >
      <Text size="sm">{texts.description} Stored encrypted and never shown again.</Text>
      <Textarea
        name="key"
        label={texts.label}
        autosize
        minRows={4}
        maxRows={10}
        error={isWrong ? texts.problem : undefined}
        data-autofocus
      />
    </Form>
  );
}
