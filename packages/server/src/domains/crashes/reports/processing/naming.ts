import { hash } from 'node:crypto';
import type { Ctx } from '../../../../context.ts';
import { MAX_INLINED_RAW, type Symbolicated, symbolicate } from '../../../symbols/index.ts';
import type { Frame, Stack } from '../../stacks/stack.ts';

interface Build {
  version: string;
  build: string;
  buildIds: readonly string[];
}

/** A frame with its position in the stack, to find the received frame again. */
type Numbered = Frame & { at: number };

/** Cache for reports that are processed together, because most have the same frames. */
export type FoundNames = Map<string, Promise<Symbolicated<Numbered>>>;

/** Cache key of a frame. Excludes load addresses, which differ per device. */
function lookedUp({ raw, address, ...frame }: Frame): unknown {
  return frame.imageId !== undefined && frame.offset !== undefined ? frame : { ...frame, raw, address };
}

/** Symbolicates frames where symbols exist; the stack lists the missing ones. */
export async function nameFrames(
  ctx: Ctx,
  appId: string,
  { version, build, buildIds }: Build,
  stack: Stack,
  known: FoundNames = new Map(),
): Promise<Stack> {
  const { exceptions, threads, mappingIds = [] } = stack;
  const last = threads.flatMap(({ exception }) => exception ?? []);
  const stacks: { type?: string; frames: Frame[] }[] = [
    ...exceptions,
    ...threads.map(({ frames }) => ({ frames })),
    ...last,
  ];
  const numberedStacks = stacks.map((one) => ({
    ...(one.type === undefined ? {} : { type: one.type }),
    frames: one.frames.map((frame, at): Numbered => ({ ...frame, at })),
  }));
  const cacheKeyParts = [
    version,
    build,
    buildIds,
    mappingIds,
    stacks.map(({ type, frames }) => [type, frames.map(lookedUp)]),
  ];
  const key = hash('sha256', JSON.stringify(cacheKeyParts), 'hex');
  const finding =
    known.get(key) ?? symbolicate(ctx, { appId, version, build, stacks: numberedStacks, buildIds, mappingIds });
  known.set(key, finding);
  try {
    const found = await finding;
    let next = 0;
    const take = <T extends { frames: Frame[] }>(old: T): T => {
      const named = found.stacks[next++];
      const own = ({ at, raw: _, address: __, ...frame }: Numbered): Frame => {
        const { raw = '', address } = old.frames[at] ?? {};
        const own = frame.isInlined ? raw.slice(0, MAX_INLINED_RAW) : raw;
        return { ...frame, raw: own, ...(address === undefined ? {} : { address }) };
      };
      return named ? { ...old, frames: named.frames.map(own) } : old;
    };
    const takeTyped = <T extends Stack['exceptions'][number]>(old: T): T => {
      const type = found.stacks[next]?.type;
      return { ...take(old), ...(type ? { type } : {}) };
    };
    const namedExceptions = exceptions.map(takeTyped);
    const namedThreads = threads.map(take);
    const withLast = namedThreads.map((thread) =>
      thread.exception ? { ...thread, exception: takeTyped(thread.exception) } : thread,
    );
    return {
      ...stack,
      exceptions: namedExceptions,
      threads: withLast,
      missing: found.unresolved,
      notes: [...stack.notes, ...found.notes],
    };
  } catch (err) {
    ctx.log.warn({ err, appId }, 'failed to symbolicate the frames of a report');
    const note = `Can't symbolicate frames: ${(err as Error).message.slice(0, 300)} Reprocess the report later.`;
    return { ...stack, notes: [...stack.notes, note] };
  }
}
