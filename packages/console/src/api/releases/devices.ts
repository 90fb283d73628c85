import {
  devices_deviceDetails,
  devices_getEnrolmentProfile,
  devices_registerUserForDevice,
  devices_removeUserDevice,
  devices_userDevicesList,
  type EndpointInput,
  type EndpointOutput,
  updateTokens_delete,
  updateTokens_list,
} from '@mooring/contract';
import { call, useChange, useRead } from '../client.ts';

export type Device = EndpointOutput<typeof devices_userDevicesList>[number];
export type UpdateToken = EndpointOutput<typeof updateTokens_list>[number];

const DEVICES = ['devices'];
const UPDATE_TOKENS = ['update-tokens'];

/** iPhones and iPads that open this URL download a registration profile. */
export const PROFILE_ADDRESS = devices_getEnrolmentProfile.path;

export const useDevices = () => useRead(DEVICES, () => call(devices_userDevicesList));

export const useDevice = (udid: string) =>
  useRead([...DEVICES, udid], () => call(devices_deviceDetails, { params: { device_udid: udid } }));

export const useRegisterDevice = (userId: string) =>
  useChange(
    (body: EndpointInput<typeof devices_registerUserForDevice>['body']) =>
      call(devices_registerUserForDevice, { params: { user_id: userId }, body }),
    DEVICES,
  );

export const useRemoveDevice = () =>
  useChange(({ udid }: Device) => call(devices_removeUserDevice, { params: { device_udid: udid } }), DEVICES);

export const useUpdateTokens = () => useRead(UPDATE_TOKENS, () => call(updateTokens_list));

export const useDeleteUpdateToken = () =>
  useChange(({ id }: UpdateToken) => call(updateTokens_delete, { params: { update_token_id: id } }), UPDATE_TOKENS);
