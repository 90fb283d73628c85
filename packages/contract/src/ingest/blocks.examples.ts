import type { EndpointExamples } from '../endpoint/example.ts';

const params = { owner_name: 'ada', app_name: 'compass' };
const install = { ...params, install_id: '9d1f7c1e-3a53-4d0c-9a61-0b4e9a0f2d13' };

export const blocksExamples = {
  App_BlockLogs: { params, body: {}, response: 'Logs of ada/compass are dropped from now on.' },
  App_UnblockLogs: { params, response: 'Logs of ada/compass are accepted again.' },
  Devices_BlockLogs: {
    params: install,
    body: {},
    response: `Logs of the install ${install.install_id} are dropped from now on.`,
  },
  Devices_UnblockLogs: { params: install, response: `Logs of the install ${install.install_id} are accepted again.` },
} satisfies EndpointExamples<typeof import('./blocks.contract.ts')>;
