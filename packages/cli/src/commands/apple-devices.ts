import {
  devices_list,
  devices_listCsvFormat,
  devices_registerUserForDevice,
  devices_removeUserDevice,
  devices_userDevicesList,
  type OutputOf,
  users_get,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Device = OutputOf<typeof devices_userDevicesList>[number];

const columns: Column<Device>[] = [
  { header: 'UDID', value: ({ udid }) => udid },
  { header: 'MODEL', value: ({ model }) => model },
  { header: 'NAME', value: ({ full_device_name, device_name }) => full_device_name ?? device_name },
  { header: 'SYSTEM', value: ({ os_version }) => os_version },
  { header: 'STATUS', value: ({ status }) => status },
  { header: 'REGISTERED', value: ({ registered_at }) => registered_at, isTime: true },
];

const udid = { summary: 'UDID of the device' } as const;

export const appleDeviceCommands = [
  operation({
    name: 'apple-devices list',
    endpoint: devices_userDevicesList,
    input: () => ({}),
    columns,
  }),
  command({
    name: 'apple-devices add',
    summary: 'Registers an Apple device of yours, by hand',
    arguments: { udid, model: { summary: 'Its model, such as iPhone16,1' } },
    async run({ args, out, connect }) {
      const { call } = connect();
      const { id } = await call(users_get);
      const device = await call(devices_registerUserForDevice, { params: { user_id: id }, body: args });
      out.record(device, device, columns);
    },
  }),
  operation({
    name: 'apple-devices remove',
    endpoint: devices_removeUserDevice,
    arguments: { udid },
    input: ({ args }) => ({ params: { device_udid: args.udid } }),
    confirm: ({ args }) => `Forget ${args.udid}?`,
    done: ({ args }) => `${args.udid} is forgotten.`,
  }),
  operation({
    name: 'apple-devices of-group',
    endpoint: devices_list,
    summary: 'Lists the Apple devices of the testers in a group, and whether its release names them',
    arguments: { app, group: { summary: 'Name of the group' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), distribution_group_name: args.group }, query: {} }),
    columns,
  }),
  command({
    name: 'apple-devices file',
    summary: "Prints the Apple devices of the testers in a group as Apple's developer site takes them",
    arguments: { app, group: { summary: 'Name of the group' } },
    options: { missing: { summary: 'Only those that its release does not name' } },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), distribution_group_name: args.group };
      const query = { unprovisioned_only: options.missing };
      const text = await connect().call(devices_listCsvFormat, { params, query });
      out.value({ file: text }, text.trimEnd());
    },
  }),
];
