import { deviceSignIns_answer, deviceSignIns_get, oauth_deviceCode } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { toIso } from '../../../kernel/clock.ts';
import { decideDevice, getDeviceSignIn, startDeviceSignIn } from './device-sign-ins.ts';

export const deviceSignInRoutes = [
  route(oauth_deviceCode, (ctx, { body }) => startDeviceSignIn(ctx, body)),
  route(deviceSignIns_get, async (ctx, { query }) => {
    const { clientName, deviceName, address, createdAt, expiresAt } = await getDeviceSignIn(ctx, query.user_code);
    return {
      client_name: clientName,
      device_name: deviceName,
      address,
      requested_at: toIso(createdAt),
      expires_at: toIso(expiresAt),
    };
  }),
  route(deviceSignIns_answer, (ctx, { body }) => decideDevice(ctx, body.user_code, body.is_allowed)),
];
