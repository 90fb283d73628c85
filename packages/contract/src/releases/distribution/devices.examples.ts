import type { EndpointExamples } from '../../endpoint/example.ts';

const udid = '00008030-000A1B2C3D4E5F60';
const user_id = '5f0c5d2e-9b11-4d2f-8a57-6f0c5d2e9b00';
const ofGroup = { owner_name: 'ada', app_name: 'compass', distribution_group_name: 'Beta divers' };
const deviceBody = { udid, model: 'iPhone12,1', os_build: '21F90', os_version: '17.5.1' };
const device = {
  ...deviceBody,
  device_name: 'iPhone12,1',
  full_device_name: "Ada Lovelace's iPhone12,1",
  owner_id: user_id,
  status: 'registered',
  registered_at: '2026-11-01T09:00:00.000Z',
};

const tides = { owner_name: 'lighthouse', app_name: 'tide-table', release_id: '1' };
const resign_id = '0d2f3f0c-5d2e-4b11-9a57-6f0c5d2e9b02';
const waits =
  'No runner of this app re-signs packages for Apple devices. Start one with MOORING_RESIGN_APPLE_COMMAND set, on a machine that has the tools.';
const resigning = {
  resign_id,
  status: 'submitted',
  device_count: 1,
  error_message: waits,
  created_at: '2026-11-01T09:00:00.000Z',
};

export const devicesExamples = {
  devices_list: { params: ofGroup, query: {}, response: [device] },
  devices_listCsvFormat: { params: ofGroup, query: {} },
  devices_resignRelease: { params: tides, body: {}, response: resigning },
  devices_listResignings: { params: tides, response: [resigning] },
  devices_getReleaseUpdateDevicesStatus: {
    params: { ...tides, resign_id },
    query: {},
    response: { status: 'submitted', error_code: 'NoRunner', error_message: waits },
  },
  devices_getResigningLog: { params: { ...tides, resign_id } },
  devices_userDevicesList: { response: [device] },
  devices_deviceDetails: { params: { device_udid: udid }, response: device },
  devices_removeUserDevice: { params: { device_udid: udid } },
  devices_registerUserForDevice: { params: { user_id }, body: deviceBody, response: device },
  devices_getEnrolmentProfile: {},
  devices_enrol: {
    query: { token: 'mj9w2k5c.5f0c5d2e9b114d2f8a576f0c5d2e9b00.Yk3uQ0bUuN3h0wW8vJxq5sT7d1nB2cV4mL6pR9eZaXg' },
    body: '<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict><key>UDID</key><string>00008030-001C2D3E4F5A6B7C</string><key>PRODUCT</key><string>iPad13,4</string><key>VERSION</key><string>21F90</string></dict></plist>',
  },
} satisfies EndpointExamples<typeof import('./devices.contract.ts')>;
