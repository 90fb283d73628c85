import type { AnnouncementType } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Subscribers to app events. */
export interface Subscribers {
  count(ctx: Ctx, appId: string, type: AnnouncementType): Promise<number>;
}

/** Read by the domain `alerts`. */
export const subscribers = defineExtensionPoint<Subscribers>('subscribers');
