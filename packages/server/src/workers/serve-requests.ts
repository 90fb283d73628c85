import { limitOwnMemory } from './memory-limit.ts';

export type Reply = { result: unknown } | { error: string; isUnreadable: boolean };

/** Handles requests of the server in a separate process. Has few imports, so that the process starts fast. */
export function serveRequests<Q, A>(answer: (question: Q) => A | Promise<A>): void {
  process.umask(0o077);
  limitOwnMemory();
  process.on('message', async (question: Q) => {
    let reply: Reply;
    try {
      reply = { result: await answer(question) };
    } catch (error) {
      const { name, message } = error as Error;
      reply = { error: message, isUnreadable: name === 'Unreadable' };
    }
    if (process.connected) process.send?.(reply);
  });
  // The server ends this process: a signal to the process group must not end it earlier.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
}
