import { Type } from '../type.ts';
import { CustomName, Names } from './query-range.ts';

export const chartMeasures = ['devices', 'sessions', 'events', 'crashes'] as const;
export const chartDimensions = ['version', 'build', 'country', 'model', 'os', 'language', 'carrier'] as const;
export const chartIntervals = ['PT1H', 'P1D', 'P1W', 'P30D'] as const;
export const MAX_BUCKETS = 2000;
export const MAX_FUNNEL_STEPS = 10;

/** Filters devices by properties that they report. */
export const Filters = {
  versions: Type.Optional(Names),
  builds: Type.Optional(Names),
  countries: Type.Optional(Names),
  models: Type.Optional(Names),
  oses: Type.Optional(Names),
  languages: Type.Optional(Names),
  carriers: Type.Optional(Names),
};

export const Times = {
  start: Type.String({ format: 'date-time', description: 'The start of the range, inclusive.' }),
  end: Type.Optional(
    Type.String({ format: 'date-time', description: 'The end of the range, exclusive (default: now).' }),
  ),
};

/** A dimension, `event` for event names, or `property:plan` for a property of the event. */
export const ChartGrouping = Type.String({
  pattern: `^(?:${chartDimensions.join('|')}|event|property:[\\s\\S]{1,256})$`,
  maxLength: 265,
});

const FunnelStep = Type.Object(
  {
    event: CustomName,
    property: Type.Optional(CustomName),
    value: Type.Optional(Type.String({ maxLength: 256, description: 'Only events with this value of the property.' })),
  },
  { $id: 'FunnelStep' },
);
export const FunnelSteps = Type.Array(FunnelStep, { minItems: 2, maxItems: MAX_FUNNEL_STEPS });
export const Within = Type.Integer({
  minimum: 1,
  maximum: 90 * 86_400,
  description: 'The maximum number of seconds from the first step to the last (default: 7 days).',
});
