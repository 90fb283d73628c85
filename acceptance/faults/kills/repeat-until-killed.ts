import assert from 'node:assert/strict';

/** Repeats until the server has ended. */
export async function untilGone(step: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await step();
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}
