import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** Names of versions, events and properties are defined by apps. */
export const Names = Type.Union(
  [Type.String({ maxLength: 16_384 }), Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 200 })],
  { description: 'Joined by `|`, or as repeated parameters. Empty or omitted: all.' },
);

export const Range = {
  start: Type.String({ format: 'day', description: 'The first day, in UTC. The time of day is ignored.' }),
  end: Type.Optional(Type.String({ format: 'day', description: 'The last day, inclusive (default: today).' })),
};
export const Versions = { versions: Type.Optional(Names) };
export const EventNames = { event_name: Type.Optional(Names) };

export const Top = {
  $top: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2000,
      description: 'The maximum number of results (default 30). 0 returns all.',
    }),
  ),
};

export const Interval = {
  interval: Type.Enum(['P1D', 'P1W', 'P30D'], {
    description: 'The length of a bucket, counted from the first day. The last bucket may be shorter.',
  }),
};

export const RangeQuery = Type.Object({ ...Range, ...Versions });
export const TopQuery = Type.Object({ ...Range, ...Top, ...Versions });

/** The name of an event or a property, as an app defines it. */
export const CustomName = Type.String({ minLength: 1, maxLength: 1024 });
export const EventPath = { ...AppPath, event_name: CustomName };

export const Count = Type.Integer({ minimum: 0 });
export const Bucket = Type.String({ description: 'The start of the bucket: ISO 8601, UTC.' });
export const Counts = Type.Array(Type.Object({ datetime: Bucket, count: Count }), {
  description: 'One count for each day or bucket, in order, including zeros.',
});
export const Ratios = Type.Array(Type.Object({ datetime: Bucket, count: Type.Number() }), {
  description: 'One ratio for each day or bucket, in order. 0 if the event did not occur.',
});
export const Percentages = Type.Array(Type.Object({ datetime: Bucket, percentage: Type.Number() }));

/** Options that all counting operations share. */
export const reading = {
  method: 'GET',
  tag: 'analytics',
  access: 'app:viewer',
  effect: 'read',
  errors: [400, 403, 404],
} as const;
/** Existing clients of these operations expect the status as the error code. */
export const numbered = { errorShape: 'numbered' } as const;

export const at = '/v0.1/apps/{owner_name}/{app_name}/analytics';
export { AppPath, Time };
