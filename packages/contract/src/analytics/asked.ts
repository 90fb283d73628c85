import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

/** Names of versions, events and properties are whatever apps chose. */
export const Names = Type.Union(
  [Type.String({ maxLength: 16_384 }), Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 200 })],
  { description: 'Joined by `|`, or one by one under the same name; all if absent or empty.' },
);

export const Range = {
  start: Type.String({ format: 'day', description: 'The first day, in UTC; only the day counts.' }),
  end: Type.Optional(Type.String({ format: 'day', description: 'The last day, which is included; today if absent.' })),
};
export const Versions = { versions: Type.Optional(Names) };
export const EventNames = { event_name: Type.Optional(Names) };

export const Top = {
  $top: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2000, description: 'How many at most, 30 if absent; 0 for all.' }),
  ),
};

export const Interval = {
  interval: Type.Enum(['P1D', 'P1W', 'P30D'], {
    description: 'How long a bucket is, from the first day on; the last may be shorter.',
  }),
};

export const RangeQuery = Type.Object({ ...Range, ...Versions });
export const TopQuery = Type.Object({ ...Range, ...Top, ...Versions });

/** What an app may call an event or a property. */
export const GivenName = Type.String({ minLength: 1, maxLength: 1024 });
export const EventPath = { ...AppPath, event_name: GivenName };

export const Count = Type.Integer({ minimum: 0 });
export const Bucket = Type.String({ description: 'When it begins: ISO 8601, UTC.' });
export const Counts = Type.Array(Type.Object({ datetime: Bucket, count: Count }), {
  description: 'One for each day or bucket, in order, also where nothing happened.',
});
export const Ratios = Type.Array(Type.Object({ datetime: Bucket, count: Type.Number() }), {
  description: 'One for each day or bucket, in order; 0 where nothing happened.',
});
export const Percentages = Type.Array(Type.Object({ datetime: Bucket, percentage: Type.Number() }));

/** What all operations that count have in common. */
export const reading = {
  method: 'GET',
  tag: 'analytics',
  access: 'app:viewer',
  effect: 'read',
  errors: [400, 403, 404],
} as const;
/** The code of an error is its status here, as clients of these operations were told. */
export const numbered = { errorShape: 'numbered' } as const;

export const at = '/v0.1/apps/{owner_name}/{app_name}/analytics';
export { AppPath, Time };
