import type { Ctx } from '../../../context.ts';

interface EndingJob {
  id: string;
  kind: string;
}

type Prepare = (ctx: Ctx, job: EndingJob) => Promise<void>;

const all: Prepare[] = [];

/** Registers work that must be done before the transaction that ends a job, because it takes too long for one. */
export const beforeJobEnds = (prepare: Prepare): void => void all.push(prepare);

export async function prepareEnd(ctx: Ctx, job: EndingJob): Promise<void> {
  for (const prepare of all) await prepare(ctx, job);
}
