import type { AlertKind } from '@mooring/contract';
import type { Ctx } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

export interface GaugeReading {
  value: number;
  /** The subject of the value, in words. */
  subject?: string;
}

/** No value, with the reason as a sentence. */
export interface NoReading {
  unknown: string;
}

/** A value of an app that alert rules watch. */
export interface AlertGauge {
  name: AlertKind;
  read(ctx: Ctx, appId: string): Promise<GaugeReading | NoReading>;
}

/** Read by the domain `alerts`. */
export const alertGauges = defineExtensionPoint<AlertGauge>('alert-gauges');
