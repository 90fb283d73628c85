/** A generator of numbers below a limit, the same for the same seed. */
export function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  '\n',
  '\0',
  '{',
  '[',
  '"',
  '}',
  ']',
  '\r',
  '\u2028',
  '1e999',
  'null',
  '{"type":"event"}\n',
  '{"type":"session"}\n',
  '"length":5,',
  '\ud83d',
];

/** Changes an envelope in a few places: bytes, cuts, repetitions, and pieces of the format. */
export function mutate(envelope: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(envelope);
  for (let change = random(4); change >= 0; change -= 1) {
    const at = random(bytes.length + 1);
    const to = Math.min(bytes.length, at + random(200));
    const kind = random(5);
    if (kind === 0 && at < bytes.length) bytes[at] = random(256);
    else if (kind === 1) bytes = bytes.subarray(0, at);
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(to)]);
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    else {
      const piece = Buffer.from(pieces[random(pieces.length)] ?? '');
      bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    }
  }
  return bytes;
}
