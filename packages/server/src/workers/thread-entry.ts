import { parentPort, workerData } from 'node:worker_threads';
import type { Told } from './thread.ts';
import { Unreadable } from './unreadable.ts';

const { module, input } = workerData as { module: string; input: object };

async function work(): Promise<Told> {
  try {
    const { default: run } = (await import(module)) as { default(input: object): Promise<unknown> };
    return { value: await run(input) };
  } catch (error) {
    if (error instanceof Unreadable) return { unreadable: error.message };
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

parentPort?.postMessage(await work());
