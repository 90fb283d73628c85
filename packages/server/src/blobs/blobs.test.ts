import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inParts } from './blobs.ts';

test('splits content into full parts and a rest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ maxLength: 20 })),
      fc.integer({ min: 1, max: 15 }),
      async (chunks, size) => {
        const parts: Buffer[] = [];
        for await (const part of inParts(
          (async function* () {
            yield* chunks;
          })(),
          size,
        )) {
          parts.push(part);
        }
        expect(Buffer.concat(parts)).toEqual(Buffer.concat(chunks));
        expect(parts.length).toBeGreaterThan(0);
        expect(parts.slice(0, -1).every(({ length }) => length === size)).toBe(true);
        expect(parts.at(-1)?.length).toBeLessThanOrEqual(size);
      },
    ),
  );
});
