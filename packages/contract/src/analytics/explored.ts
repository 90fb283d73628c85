import { Type } from '../type.ts';
import { GivenName, Names } from './asked.ts';

export const chartMeasures = ['devices', 'sessions', 'events', 'crashes'] as const;
export const chartDimensions = ['version', 'build', 'country', 'model', 'os', 'language', 'carrier'] as const;
export const chartIntervals = ['PT1H', 'P1D', 'P1W', 'P30D'] as const;
export const MOST_BUCKETS = 2000;
export const MOST_FUNNEL_STEPS = 10;

/** Which devices, by what they tell of themselves. */
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
  start: Type.String({ format: 'date-time', description: 'From this time on.' }),
  end: Type.Optional(Type.String({ format: 'date-time', description: 'Up to this time; now if absent.' })),
};

/** `version`, `event` for the names of events, or `property:plan` for a property of the event. */
export const ChartGrouping = Type.String({
  pattern: `^(?:${chartDimensions.join('|')}|event|property:[\\s\\S]{1,256})$`,
  maxLength: 265,
});

const FunnelStep = Type.Object(
  {
    event: GivenName,
    property: Type.Optional(GivenName),
    value: Type.Optional(Type.String({ maxLength: 256, description: 'Only with this value of the property.' })),
  },
  { $id: 'FunnelStep' },
);
export const FunnelSteps = Type.Array(FunnelStep, { minItems: 2, maxItems: MOST_FUNNEL_STEPS });
export const Within = Type.Integer({
  minimum: 1,
  maximum: 90 * 86_400,
  description: 'Seconds from the first step to the last; 7 days if absent.',
});
