import { type RunnerDevice, Type } from '@mooring/contract';
import type { Static } from 'typebox';
import { SECOND } from '../../kernel/clock.ts';
import { jsonCodec, listOutline, StringList } from '../../kernel/text/json-codec.ts';
import type { RunnerRow } from './runners.store.ts';

const labelsCodec = jsonCodec('runners.labels', StringList);
const toolsCodec = jsonCodec(
  'runners.tools',
  listOutline<Tool>(Type.Object({ name: Type.String(), version: Type.String() })),
);
const devicesCodec = jsonCodec('runners.devices', listOutline<Device>(Type.Object({ key: Type.String() })));

/** Minimum interval between writes of the last-seen time. */
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
  problem: string | undefined;
  createdAt: number;
  lastSeenAt: number | undefined;
}

export const toRunner = (row: RunnerRow): Runner => ({
  id: row.id,
  name: row.name,
  serves: row.app_id !== null ? 'app' : row.org_id !== null ? 'organization' : 'server',
  orgId: row.org_id ?? undefined,
  appId: row.app_id ?? undefined,
  labels: labelsCodec.parse(row.labels),
  tools: toolsCodec.parse(row.tools),
  devices: devicesCodec.parse(row.devices),
  version: row.version ?? undefined,
  slots: row.slots,
  problem: row.trouble ?? undefined,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at ?? undefined,
});
