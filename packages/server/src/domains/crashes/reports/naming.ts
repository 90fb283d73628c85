import type { Ctx } from '../../../context.ts';
import { symbolicate } from '../../symbols/index.ts';
import type { Stack } from '../stacks/stack.ts';

/** Gives frames their names and lines, as far as there are symbols; for what has none, the stack tells why. */
export async function nameFrames(
  ctx: Ctx,
  appId: string,
  { version, build, buildIds }: { version: string; build: string; buildIds: readonly string[] },
  stack: Stack,
): Promise<Stack> {
  const { exceptions, threads } = stack;
  const last = threads.flatMap(({ exception }) => exception ?? []);
  const stacks = [...exceptions, ...threads.map(({ frames }) => ({ frames })), ...last];
  try {
    const found = await symbolicate(ctx, { appId, version, build, stacks, buildIds });
    let next = 0;
    const take = <T extends { frames: Stack['threads'][number]['frames'] }>(old: T): T => {
      const named = found.stacks[next++];
      return named ? { ...old, frames: named.frames } : old;
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
