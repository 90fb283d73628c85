import { events } from './endpoint/index.ts';
import { Type } from './type.ts';

/** How long a stream lasts at most; its reader then comes again. */
export const LIVE_SECONDS = 60;

export const LiveQuery = {
  seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIVE_SECONDS,
      default: LIVE_SECONDS,
      description: 'When it ends at the latest.',
    }),
  ),
};

/**
 * A stream that says what changed, and nothing of it: whoever hears it reads again. It begins with `watching`, whose id, sent
 * back in Last-Event-ID, lets a later stream tell what changed in between.
 */
export const liveEvents = <const T extends string>(topics: readonly T[]) =>
  events(
    { watching: Type.Object({}), changed: Type.Object({ topics: Type.Array(Type.Enum([...topics])) }) },
    { description: 'What changed, within a few seconds. It ends with the rights of its reader.' },
  );
