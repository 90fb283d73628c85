import type { RunnerDevice } from '@mooring/contract';
import type { Static } from 'typebox';
import { SECOND } from '../../kernel/clock.ts';
import type { RunnerRow } from './runners.store.ts';

/** That it was seen is written every few seconds at most. */
export const SEEN_EVERY = 10 * SECOND;

export interface Tool {
  name: string;
  version: string;
}

export type Device = Static<typeof RunnerDevice>;

export interface Runner {
  id: string;
  name: string;
  serves: 'server' | 'organization' | 'app';
  orgId: string | undefined;
  appId: string | undefined;
  labels: string[];
  tools: Tool[];
  devices: Device[];
  version: string | undefined;
  slots: number;
  trouble: string | undefined;
  createdAt: number;
  lastSeenAt: number | undefined;
}

export const toRunner = (row: RunnerRow): Runner => ({
  id: row.id,
  name: row.name,
  serves: row.app_id !== null ? 'app' : row.org_id !== null ? 'organization' : 'server',
  orgId: row.org_id ?? undefined,
  appId: row.app_id ?? undefined,
  labels: JSON.parse(row.labels) as string[],
  tools: JSON.parse(row.tools) as Tool[],
  devices: JSON.parse(row.devices) as Device[],
  version: row.version ?? undefined,
  slots: row.slots,
  trouble: row.trouble ?? undefined,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at ?? undefined,
});
