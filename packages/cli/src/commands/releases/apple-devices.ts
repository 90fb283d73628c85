import {
  devices_list,
  devices_listCsvFormat,
  devices_registerUserForDevice,
  devices_removeUserDevice,
  devices_userDevicesList,
  type EndpointOutput,
  users_get,
} from '@mooring/contract';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';

type Device = EndpointOutput<typeof devices_userDevicesList>[number];

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
    summary: 'List the Apple devices that you registered',
    endpoint: devices_userDevicesList,
    input: () => ({}),
    columns,
  }),
  command({
    name: 'apple-devices add',
    summary: 'Register an Apple device manually',
    arguments: { udid, model: { summary: 'Model of the device, such as iPhone16,1' } },
    async run({ args, out, connect }) {
      const { call } = connect();
      const { id } = await call(users_get);
      const device = await call(devices_registerUserForDevice, { params: { user_id: id }, body: args });
      out.record(device, device, columns);
    },
  }),
  operation({
    name: 'apple-devices remove',
    summary: 'Remove one of your Apple devices',
    endpoint: devices_removeUserDevice,
    arguments: { udid },
    input: ({ args }) => ({ params: { device_udid: args.udid } }),
    confirm: ({ args }) => `Remove the device ${args.udid}?`,
    done: ({ args }) => `Removed device ${args.udid}.`,
  }),
  operation({
    name: 'apple-devices of-group',
    endpoint: devices_list,
    summary:
      'List the Apple devices of the testers in a group, and whether the release of the group is provisioned for them',
    arguments: { app, group: { summary: 'Name of the distribution group' } },
    input: ({ args }) => ({ params: { ...readApp(args.app), distribution_group_name: args.group }, query: {} }),
    columns,
  }),
  command({
    name: 'apple-devices file',
    summary: "Print the Apple devices of the testers in a group, for upload to Apple's developer site",
    arguments: { app, group: { summary: 'Name of the distribution group' } },
    options: { missing: { summary: 'Only devices that the release is not provisioned for' } },
    async run({ args, options, out, connect }) {
      const params = { ...readApp(args.app), distribution_group_name: args.group };
      const query = { unprovisioned_only: options.missing };
      const text = await connect().call(devices_listCsvFormat, { params, query });
      out.value({ file: text }, text.trimEnd());
    },
  }),
];
