import { limitOwnMemory } from './memory-limit.ts';

export type Reply = { result: unknown } | { error: string; isUnreadable: boolean };

/** Answers the questions of the server, in a process of its own. Imports little, so that the process starts fast. */
export function answerQuestions<Q, A>(answer: (question: Q) => A | Promise<A>): void {
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
  // Whoever started it decides when it ends: a signal to the whole group must not come first.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
}
