import { releaseGate_get, releaseGate_set } from '@mooring/contract';
import type { AppRef } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { releasesKey } from './releases.ts';

export const useReleaseGate = (params: AppRef) =>
  useRead([...releasesKey(params), 'gate'], () => call(releaseGate_get, { params }));

export const useSetReleaseGate = (params: AppRef) =>
  useChange((hold_failed: boolean) => call(releaseGate_set, { params, body: { hold_failed } }), releasesKey(params));
