import { type EndpointInput, privateUpdates_setUp } from '@mooring/contract';
import { call, useChange } from '../client.ts';

export type UpdateSetup = EndpointInput<typeof privateUpdates_setUp>['body'];

export const useSetUpUpdates = (secret: string) =>
  useChange((body: UpdateSetup) => call(privateUpdates_setUp, { params: { app_secret: secret }, body }));
