import { events } from './endpoint/index.ts';
import { Type } from './type.ts';

/** The maximum duration of a stream. Its reader then reconnects. */
export const LIVE_SECONDS = 60;

export const LiveQuery = {
  seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIVE_SECONDS,
      default: LIVE_SECONDS,
      description: 'The maximum duration of the stream in seconds.',
    }),
  ),
};

/**
 * A stream that names the topics that changed, without data; the reader reads them again. Starts with `watching`. Sent
 * in Last-Event-ID, its ID makes a later stream report changes in between.
 */
export const liveEvents = <const T extends string>(topics: readonly T[]) =>
  events(
    { watching: Type.Object({}), changed: Type.Object({ topics: Type.Array(Type.Enum([...topics])) }) },
    { description: 'The topics that changed, within a few seconds. The stream ends if the caller loses access.' },
  );
