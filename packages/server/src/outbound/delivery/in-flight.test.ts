import { expect, test } from 'vitest';
import { createInFlight, type InFlight } from './in-flight.ts';

const toEndpoint = (id: string, { ownerId = id, isFailing = false } = {}) => ({ id, ownerId, isFailing });
const begin = (flights: InFlight, id: string, count: number, ownerId = id) => {
  for (let n = 0; n < count; n += 1) flights.begin(toEndpoint(id, { ownerId }));
};
const end = (flights: InFlight, id: string, count: number, isSuccess: boolean, ms = 10) => {
  for (let n = 0; n < count; n += 1) flights.end(id, isSuccess, ms);
};
const room = (flights: InFlight, id: string, isFailing = false) => flights.roomFor(toEndpoint(id, { isFailing }));

test('who answers well gets more and more at a time, up to a limit; who does not, one after the other', () => {
  const flights = createInFlight();
  expect(room(flights, 'a')).toBe(2);
  begin(flights, 'a', 2);
  expect(room(flights, 'a')).toBe(0);
  end(flights, 'a', 2, true);
  expect(room(flights, 'a')).toBe(4);
  begin(flights, 'a', 100);
  end(flights, 'a', 100, true);
  expect(room(flights, 'a')).toBe(64);
  begin(flights, 'a', 7);
  end(flights, 'a', 7, false);
  expect(room(flights, 'a')).toBe(1);
  expect(room(flights, 'known to fail', true)).toBe(1);
});

test('who takes its time gets no more at a time, and who takes long gets less', () => {
  const flights = createInFlight();
  const after = (ms: number) => {
    begin(flights, 'a', 1);
    flights.end('a', true, ms);
    return room(flights, 'a');
  };
  expect([249, 249, 250, 1000, 1001, 1001, 1001, 0].map(after)).toEqual([3, 4, 4, 4, 3, 2, 2, 3]);
});

test('all that fail or never answered hold no more than half of the room together', () => {
  const flights = createInFlight();
  const proven = (id: string) => {
    begin(flights, id, 62);
    end(flights, id, 62, true);
  };
  proven('well');
  for (let n = 0; n < 127; n += 1) {
    expect(room(flights, `silent ${n}`)).toBe(2);
    begin(flights, `silent ${n}`, 2);
  }
  expect(room(flights, 'failing', true)).toBe(1);
  begin(flights, 'failing', 1);
  expect(room(flights, 'new')).toBe(1);
  begin(flights, 'new', 1);
  expect([room(flights, 'one more'), room(flights, 'one more failing', true)]).toEqual([0, 0]);
  expect(room(flights, 'well')).toBe(64);
  // Whoever answers leaves its place to others.
  end(flights, 'new', 1, true);
  expect([room(flights, 'new'), room(flights, 'one more')]).toEqual([3, 1]);
  begin(flights, 'new', 3);
  expect(room(flights, 'one more')).toBe(1);
  // One that fails after all is among those again, with all that it has under way.
  begin(flights, 'well', 10);
  end(flights, 'well', 1, false);
  expect(room(flights, 'one more')).toBe(0);
  end(flights, 'well', 1, true);
  expect(room(flights, 'one more')).toBe(1);
  expect(room(flights, 'well')).toBe(33 - 8);
});

test('all together have a limit', () => {
  const flights = createInFlight();
  for (let n = 0; n < 8; n += 1) {
    begin(flights, `well ${n}`, 62);
    end(flights, `well ${n}`, 62, true);
    begin(flights, `well ${n}`, n === 7 ? 63 : 64);
  }
  expect(room(flights, 'last')).toBe(1);
  begin(flights, 'last', 1);
  expect([room(flights, 'last'), room(flights, 'well 7')]).toEqual([0, 0]);
});

test('silent endpoints of one owner leave room for new endpoints of others', () => {
  const flights = createInFlight();
  const silent = Array.from({ length: 200 }, (_, n) => toEndpoint(`silent ${n}`, { ownerId: 'hostile' }));
  const shared = flights.shareRoom(silent, 2);
  expect(shared.reduce((sum, { count }) => sum + count, 0)).toBe(64);
  for (const { endpoint, count } of shared) begin(flights, endpoint.id, count, 'hostile');
  expect(flights.roomFor(toEndpoint('one more', { ownerId: 'hostile' }))).toBe(0);
  expect(flights.roomFor(toEndpoint('new', { ownerId: 'honest' }))).toBe(2);
  // A share that was only computed holds no room.
  expect(flights.shareRoom([toEndpoint('new', { ownerId: 'honest' })], 8)[0]?.count).toBe(2);
  expect(flights.roomFor(toEndpoint('new', { ownerId: 'honest' }))).toBe(2);
});

test('endpoints of one owner that answered well and then become silent together leave room for others', () => {
  const flights = createInFlight();
  for (let n = 0; n < 8; n += 1) {
    begin(flights, `well ${n}`, 62, 'hostile');
    end(flights, `well ${n}`, 62, true);
    begin(flights, `well ${n}`, flights.roomFor(toEndpoint(`well ${n}`, { ownerId: 'hostile' })), 'hostile');
  }
  expect(flights.roomFor(toEndpoint('one more', { ownerId: 'hostile' }))).toBe(0);
  begin(flights, 'honest', 62);
  end(flights, 'honest', 62, true);
  expect(room(flights, 'honest')).toBe(64);
});

test('counts stay right when idle endpoints are forgotten', () => {
  const flights = createInFlight();
  begin(flights, 'busy', 2, 'ada');
  for (let n = 0; n < 10_001; n += 1) {
    begin(flights, `idle ${n}`, 1, 'ada');
    end(flights, `idle ${n}`, 1, true);
  }
  end(flights, 'busy', 2, true);
  const [all] = flights.shareRoom([toEndpoint('busy', { ownerId: 'ada' })], 10);
  expect(all?.count).toBe(4);
});
