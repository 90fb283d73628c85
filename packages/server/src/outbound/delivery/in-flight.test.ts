import { expect, test } from 'vitest';
import { createInFlight, type InFlight } from './in-flight.ts';

const begin = (flights: InFlight, id: string, count: number) => {
  for (let n = 0; n < count; n += 1) flights.begin(id);
};
const end = (flights: InFlight, id: string, count: number, isSuccess: boolean) => {
  for (let n = 0; n < count; n += 1) flights.end(id, isSuccess);
};
const room = (flights: InFlight, id: string, isFailing = false) => flights.roomFor({ id, isFailing });

test('who answers well gets more and more at a time, up to a limit; who does not, one after the other', () => {
  const flights = createInFlight();
  expect(room(flights, 'a')).toBe(8);
  begin(flights, 'a', 8);
  expect(room(flights, 'a')).toBe(0);
  end(flights, 'a', 8, true);
  expect(room(flights, 'a')).toBe(16);
  begin(flights, 'a', 100);
  end(flights, 'a', 100, true);
  expect(room(flights, 'a')).toBe(64);
  begin(flights, 'a', 7);
  end(flights, 'a', 7, false);
  expect(room(flights, 'a')).toBe(1);
  expect(room(flights, 'known to fail', true)).toBe(1);
});

test('all that fail together hold no more than half of the room', () => {
  const flights = createInFlight();
  for (let n = 0; n < 256; n += 1) {
    expect(room(flights, `failing ${n}`, true)).toBe(1);
    flights.begin(`failing ${n}`);
  }
  expect(room(flights, 'one more', true)).toBe(0);
  expect(room(flights, 'well')).toBe(8);
  // Known to fail only after its first ones were sent.
  begin(flights, 'well', 4);
  room(flights, 'well', true);
  flights.end('failing 0', false);
  expect(room(flights, 'failing 0', true)).toBe(0);
  for (let n = 0; n < 32; n += 1) begin(flights, `other ${n}`, Math.min(8, room(flights, `other ${n}`)));
  expect(room(flights, 'last')).toBe(0);
});
