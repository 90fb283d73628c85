import { hash } from 'node:crypto';
import type { Ctx } from '../../../context.ts';
import { MAX_INLINED_RAW, type Symbolicated, symbolicate } from '../../symbols/index.ts';
import type { Frame, Stack } from '../stacks/stack.ts';

interface Build {
  version: string;
  build: string;
  buildIds: readonly string[];
}

/** A frame with its place in the stack, so that what a device said of it is found again. */
type Numbered = Frame & { at: number };

/** Names that were found for reports which are processed together: most of them are of a few problems. */
export type FoundNames = Map<string, Promise<Symbolicated<Numbered>>>;

/** What names are found by. Where an image was loaded is another place on every device, and says nothing. */
function lookedUp({ raw, address, ...frame }: Frame): unknown {
  return frame.imageId !== undefined && frame.offset !== undefined ? frame : { ...frame, raw, address };
}

/** Gives frames their names and lines, as far as there are symbols; for what has none, the stack tells why. */
export async function nameFrames(
  ctx: Ctx,
  appId: string,
  { version, build, buildIds }: Build,
  stack: Stack,
  known: FoundNames = new Map(),
): Promise<Stack> {
  const { exceptions, threads } = stack;
  const last = threads.flatMap(({ exception }) => exception ?? []);
  const stacks: { type?: string; frames: Frame[] }[] = [
    ...exceptions,
    ...threads.map(({ frames }) => ({ frames })),
    ...last,
  ];
  const asked = stacks.map((one) => ({
    ...(one.type === undefined ? {} : { type: one.type }),
    frames: one.frames.map((frame, at): Numbered => ({ ...frame, at })),
  }));
  const words = [version, build, buildIds, stacks.map(({ type, frames }) => [type, frames.map(lookedUp)])];
  const key = hash('sha256', JSON.stringify(words), 'hex');
  const finding = known.get(key) ?? symbolicate(ctx, { appId, version, build, stacks: asked, buildIds });
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
    ctx.log.warn({ err, appId }, 'frames of a report could not be named');
    const note = `Frames could not be named: ${(err as Error).message.slice(0, 300)} Process the report again later.`;
    return { ...stack, notes: [...stack.notes, note] };
  }
}
