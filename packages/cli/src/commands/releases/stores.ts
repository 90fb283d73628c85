import {
  type Client,
  type EndpointInput,
  type EndpointOutput,
  releases_addStore,
  storeReleasePublishLogs_get,
  storeReleases_getPublishError,
  storeReleases_list,
  stores_create,
  stores_delete,
  stores_get,
  stores_list,
  stores_setCredentials,
} from '@mooring/contract';
import { readJson, readText } from '../../arguments/files.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { operation } from '../../framework/operation.ts';
import { type Column, printable } from '../../terminal/output.ts';

type Store = EndpointOutput<typeof stores_list>[number];
type Published = EndpointOutput<typeof storeReleases_list>[number];

const columns: Column<Store>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'TYPE', value: ({ type }) => type },
  { header: 'TRACK', value: ({ track }) => track },
  { header: 'CREDENTIALS', value: ({ has_credentials }) => has_credentials },
  { header: 'MISSING', value: ({ missing }) => missing },
];

const publishedColumns: Column<Published>[] = [
  { header: 'ID', value: ({ id }) => id },
  { header: 'VERSION', value: ({ short_version, version }) => `${short_version} (${version})` },
  { header: 'STATUS', value: ({ distribution_stores: [store] }) => store?.publishing_status },
];

const store = { summary: 'Name of the store' } as const;
const release = { summary: 'Release number' } as const;
const types = ['googleplay', 'apple', 'intune'] as const;
const tracks = ['production', 'beta', 'alpha', 'testflight-internal', 'testflight-external'] as const;
const at = (args: { app: string; store: string }) => ({ ...readApp(args.app), store_name: args.store });

/** Publishes a release to a connected store. */
export async function publish(
  call: Client,
  params: ReturnType<typeof readApp> & { release_id: string },
  store_name: string,
): Promise<void> {
  const { id } = await call(stores_get, {
    params: { owner_name: params.owner_name, app_name: params.app_name, store_name },
  });
  await call(releases_addStore, { params, body: { id } });
}

export const storeCommands = [
  operation({
    name: 'stores list',
    summary: 'List the stores of an app',
    endpoint: stores_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  operation({
    name: 'stores connect',
    summary: 'Connect an app to a store',
    endpoint: stores_create,
    arguments: { app, type: { summary: 'Kind of store', choices: types }, store },
    options: { track: { value: 'TRACK', summary: 'Track for releases', choices: tracks } },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { type: args.type, name: args.store, ...(options.track === undefined ? {} : { track: options.track }) },
    }),
    columns,
  }),
  command({
    name: 'stores key',
    summary: 'Set the credentials of a store, which the server stores encrypted',
    arguments: {
      app,
      store,
      file: {
        summary:
          'JSON file with a service account key, or with the credentials for the publish command of a runner, or - for stdin',
      },
    },
    async run({ args, out, connect }) {
      const { call } = connect();
      const params = at(args);
      const { type } = await call(stores_get, { params });
      const key = readJson(await readText(args.file, 'key'), 'key') as object;
      type Body = EndpointInput<typeof stores_setCredentials>['body'];
      const body = (type === 'googleplay' ? { service_account: key } : { secrets: key }) as Body;
      await call(stores_setCredentials, { params, body });
      out.note(`Set the credentials of ${args.store}.`);
    },
  }),
  operation({
    name: 'stores releases',
    summary: 'List the releases that were sent to a store',
    endpoint: storeReleases_list,
    arguments: { app, store },
    input: ({ args }) => ({ params: at(args) }),
    columns: publishedColumns,
  }),
  command({
    name: 'stores log',
    summary: 'Print the publishing log of a release, and the reason if it failed or is waiting',
    arguments: { app, store, release },
    async run({ args, out, connect }) {
      const { call } = connect();
      const params = { ...at(args), release_id: args.release };
      const text = await call(storeReleasePublishLogs_get, { params });
      out.value({ log: text }, text.trimEnd().split('\n').map(printable).join('\n'));
      const { message } = await call(storeReleases_getPublishError, { params });
      if (message !== undefined) out.note(message);
    },
  }),
  operation({
    name: 'stores disconnect',
    summary: 'Disconnect an app from a store',
    endpoint: stores_delete,
    arguments: { app, store },
    input: ({ args }) => ({ params: at(args) }),
    confirm: ({ args }) => `Disconnect ${args.app} from ${args.store}? This also deletes the credentials of the store.`,
    done: ({ args }) => `Disconnected ${args.app} from ${args.store}.`,
  }),
];
