import { randomUUIDv7 } from 'node:crypto';

/** Creates IDs that sort by creation time. */
export type NewId = () => string;

let lastTime = '';
let count = 0;

/** IDs of one process also keep their order within a millisecond: the 12 bits after the version count them. */
export const newId: NewId = () => {
  const id = randomUUIDv7();
  const time = id.slice(0, 13);
  count = time === lastTime ? Math.min(count + 1, 0xfff) : 0;
  lastTime = time;
  return id.slice(0, 15) + count.toString(16).padStart(3, '0') + id.slice(18);
};
