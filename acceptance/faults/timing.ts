import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { createToken, send } from '../harness/http.ts';
import { admin, startServer } from '../harness/server.ts';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomText = (length: number) => Array.from({ length }, () => digits[randomInt(62)]).join('');

function toBase62(value: number, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) text = digits[rest % 62] + text;
  return text;
}

/** A token in the format of this server that does not exist. */
function unknownToken(): string {
  const body = `moor_u_${randomText(30)}`;
  return body + toBase62(crc32(body), 6);
}

interface Spread {
  median: number;
  /** Half of the measurements are within this range. */
  quartiles: number;
}

function measureSpread(values: number[]): Spread {
  const sorted = values.sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { median: at(0.5), quartiles: at(0.75) - at(0.25) };
}

/** Measures kinds in turn, so that other load on the machine affects all of them equally. */
async function measure(rounds: number, kinds: Record<string, () => Promise<unknown>>): Promise<Record<string, Spread>> {
  const times = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < rounds + 50; round++) {
    for (const [kind, request] of Object.entries(kinds)) {
      const start = performance.now();
      await request();
      if (round >= 50) times[kind]?.push((performance.now() - start) * 1000);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([kind, values]) => [kind, measureSpread(values)]));
}

const formatSpreads = (spreads: Record<string, Spread>) =>
  Object.entries(spreads)
    .map(([kind, { median, quartiles }]) => `${kind} ${median.toFixed(0)} ± ${(quartiles / 2).toFixed(0)} µs`)
    .join(', ');

/** The time of rejections by reason, which must not reveal the reason. Reported as a figure, without a limit. */
export async function timeRefusals(rounds: number): Promise<string> {
  const server = await startServer({ env: { MOORING_RATE_LIMIT: '0' } });
  try {
    const { api_token: token } = await createToken(server);
    const revoked: string[] = [];
    for (let n = 0; n < 100; n++) {
      const made = await send('POST', `${server.httpUrl}/v0.1/api_tokens`, { token, body: {} });
      const { id, api_token } = made.json<{ id: string; api_token: string }>();
      await send('DELETE', `${server.httpUrl}/v0.1/api_tokens/${id}`, { token });
      revoked.push(api_token);
    }
    let requests = 0;
    const request = (value: string) => send('GET', `${server.httpUrl}/v0.1/user`, { token: value });
    const tokens = await measure(rounds, {
      unknown: () => request(unknownToken()),
      revoked: () => request(revoked[requests++ % revoked.length] ?? ''),
      'one character wrong': () => request(`${unknownToken().slice(0, -1)}!`),
    });
    // Only a few, because failures are rate-limited.
    const signIn = (login: string) =>
      send('POST', `${server.httpUrl}/v0.1/sessions`, { body: { login, password: 'not the password' } });
    const people: Record<string, number[]> = { 'unknown name': [], 'wrong password': [] };
    for (let n = 0; n < 9; n++) {
      for (const [kind, login] of [
        ['unknown name', randomText(8)],
        ['wrong password', admin.name],
      ] as const) {
        const start = performance.now();
        await signIn(login);
        people[kind]?.push((performance.now() - start) * 1000);
      }
    }
    const signIns = Object.fromEntries(Object.entries(people).map(([kind, values]) => [kind, measureSpread(values)]));
    return `medians of ${rounds} refused tokens, alternating: ${formatSpreads(tokens)}; of 9 sign-ins: ${formatSpreads(signIns)}`;
  } finally {
    await server.stop();
  }
}
