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
import { AppleMappingPart } from './apple-mapping.tsx';
import { readSecrets, readServiceAccount } from './service-account.ts';

const types: Record<Store['type'], string> = { googleplay: 'Google Play', intune: 'Intune', apple: 'App Store' };
const tracks: Record<Store['type'], NonNullable<Store['track']>[]> = {
  googleplay: ['production', 'beta', 'alpha'],
  apple: ['production', 'testflight-internal', 'testflight-external'],
  intune: [],
};
/** The app runs there, or may: one of any system has no store that is its own. */
const typesFor = (os: string): Store['type'][] => {
  if (os === 'Android') return ['googleplay', 'intune'];
  if (os === 'Windows') return ['intune'];
  return os === 'Custom' ? ['googleplay', 'apple', 'intune'] : ['apple', 'intune'];
};

/** Where releases of the app are published. */
export default function StoresPage() {
  const { app, appRef, may } = useAppHere();
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
            Connect a store
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
            The app is connected with no store. Google Play is published to from here; the App Store and Intune by a
            command of one of your runners.
          </Empty>
        }
        columns={[
          { label: 'Store', text: ({ name }) => name, cell: ({ name }) => name },
          { label: 'Kind', width: 130, text: ({ type }) => types[type], cell: ({ type }) => types[type] },
          { label: 'Track', width: 130, text: ({ track = '' }) => track, cell: ({ track }) => track ?? '—' },
          {
            label: 'Publishing',
            onPhone: 'label',
            cell: ({ missing }) => (missing ? <Text size="sm">{missing}</Text> : <Badge color="green">Ready</Badge>),
          },
          actionsColumn<Store>(190, (store) => (
            <>
              {may(stores_setCredentials) && (
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
      {typesFor(app.os).includes('apple') && <AppleMappingPart />}
      <Dialog opened={isConnecting} onClose={connecting.close} title="Connect a store">
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
  const { app, appRef } = useAppHere();
  const connection = useConnectStore(appRef);
  const offered = typesFor(app.os);
  const [type, setType] = useState<Store['type']>(offered[0] ?? 'intune');
  const [track, setTrack] = useState<Store['track']>();
  const [usual] = tracks[type];
  const chosen = tracks[type].find((one) => one === track) ?? usual;
  return (
    <Form
      action="Connect"
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

const keyWords = {
  googleplay: {
    lead: 'In the Google Cloud console, make a key of a service account that may release in the Play Console.',
    label: 'Key of the service account, as JSON',
    problem: 'This is not the JSON file of a key of a service account.',
  },
  runner: {
    lead: 'What the command of your runner signs in with, by name. It goes to that command alone; leave it out if the machine has keys of its own.',
    label: 'Secrets, as JSON',
    problem: 'This is not JSON with a text for each name.',
  },
};

function Key({ store, onClose }: { store: Store; onClose: () => void }) {
  const { appRef } = useAppHere();
  const setting = useSetCredentials(appRef, store.name);
  const [isWrong, setWrong] = useState(false);
  const isPlay = store.type === 'googleplay';
  const words = isPlay ? keyWords.googleplay : keyWords.runner;
  const readKey = (text: string) => {
    if (!isPlay) return readSecrets(text);
    const service_account = readServiceAccount(text);
    return service_account && { service_account };
  };
  return (
    <Form
      action="Save"
      sending={setting}
      onCancel={onClose}
      onSend={(fields) => {
        const key = readKey(fields.secret('key'));
        setWrong(!key);
        if (key) setting.mutate(key, { onSuccess: onClose });
      }}
    >
      <Text size="sm">{words.lead} It is kept sealed, and never shown again.</Text>
      <Textarea
        name="key"
        label={words.label}
        autosize
        minRows={4}
        maxRows={10}
        error={isWrong ? words.problem : undefined}
        data-autofocus
      />
    </Form>
  );
}
