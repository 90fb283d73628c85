import assert from 'node:assert/strict';

/** Goes on until the server is gone. */
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
