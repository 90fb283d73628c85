import { expect, test } from 'vitest';
import { createInFlight, type InFlight } from './in-flight.ts';

const toEndpoint = (id: string, { ownerId = id, isFailing = false } = {}) => ({ id, ownerId, isFailing });
const begin = (flights: InFlight, id: string, count: number, ownerId = id) => {
  for (let n = 0; n < count; n += 1) flights.begin(toEndpoint(id, { ownerId }));
};
const end = (flights: InFlight, id: string, count: number, isSuccess: boolean, ms = 10) => {
  for (let n = 0; n < count; n += 1) flights.end(id, isSuccess, ms);
};
const getCapacity = (flights: InFlight, id: string, isFailing = false) =>
  flights.getCapacity(toEndpoint(id, { isFailing }));

test('raises the limit of an endpoint with each success, and lowers it with failures', () => {
  const flights = createInFlight();
  expect(getCapacity(flights, 'a')).toBe(2);
  begin(flights, 'a', 2);
  expect(getCapacity(flights, 'a')).toBe(0);
  end(flights, 'a', 2, true);
  expect(getCapacity(flights, 'a')).toBe(4);
  begin(flights, 'a', 100);
  end(flights, 'a', 100, true);
  expect(getCapacity(flights, 'a')).toBe(64);
  begin(flights, 'a', 7);
  end(flights, 'a', 7, false);
  expect(getCapacity(flights, 'a')).toBe(1);
  expect(getCapacity(flights, 'known to fail', true)).toBe(1);
});

test('does not raise the limit of a slow endpoint, and lowers it for a very slow one', () => {
  const flights = createInFlight();
  const after = (ms: number) => {
    begin(flights, 'a', 1);
    flights.end('a', true, ms);
    return getCapacity(flights, 'a');
  };
  expect([249, 249, 250, 1000, 1001, 1001, 1001, 0].map(after)).toEqual([3, 4, 4, 4, 3, 2, 2, 3]);
});

test('unproven endpoints together get at most half of the capacity', () => {
  const flights = createInFlight();
  const proven = (id: string) => {
    begin(flights, id, 62);
    end(flights, id, 62, true);
  };
  proven('well');
  for (let n = 0; n < 127; n += 1) {
    expect(getCapacity(flights, `silent ${n}`)).toBe(2);
    begin(flights, `silent ${n}`, 2);
  }
  expect(getCapacity(flights, 'failing', true)).toBe(1);
  begin(flights, 'failing', 1);
  expect(getCapacity(flights, 'new')).toBe(1);
  begin(flights, 'new', 1);
  expect([getCapacity(flights, 'one more'), getCapacity(flights, 'one more failing', true)]).toEqual([0, 0]);
  expect(getCapacity(flights, 'well')).toBe(64);
  // An endpoint that responds leaves its place to others.
  end(flights, 'new', 1, true);
  expect([getCapacity(flights, 'new'), getCapacity(flights, 'one more')]).toEqual([3, 1]);
  begin(flights, 'new', 3);
  expect(getCapacity(flights, 'one more')).toBe(1);
  // An endpoint that fails later counts as unproven again, with all its deliveries.
  begin(flights, 'well', 10);
  end(flights, 'well', 1, false);
  expect(getCapacity(flights, 'one more')).toBe(0);
  end(flights, 'well', 1, true);
  expect(getCapacity(flights, 'one more')).toBe(1);
  expect(getCapacity(flights, 'well')).toBe(33 - 8);
});

test('all endpoints together have a limit', () => {
  const flights = createInFlight();
  for (let n = 0; n < 8; n += 1) {
    begin(flights, `well ${n}`, 62);
    end(flights, `well ${n}`, 62, true);
    begin(flights, `well ${n}`, n === 7 ? 63 : 64);
  }
  expect(getCapacity(flights, 'last')).toBe(1);
  begin(flights, 'last', 1);
  expect([getCapacity(flights, 'last'), getCapacity(flights, 'well 7')]).toEqual([0, 0]);
});

test('silent endpoints of one owner leave capacity for new endpoints of others', () => {
  const flights = createInFlight();
  const silent = Array.from({ length: 200 }, (_, n) => toEndpoint(`silent ${n}`, { ownerId: 'hostile' }));
  const shared = flights.shareCapacity(silent, 2);
  expect(shared.reduce((sum, { count }) => sum + count, 0)).toBe(64);
  for (const { endpoint, count } of shared) begin(flights, endpoint.id, count, 'hostile');
  expect(flights.getCapacity(toEndpoint('one more', { ownerId: 'hostile' }))).toBe(0);
  expect(flights.getCapacity(toEndpoint('new', { ownerId: 'honest' }))).toBe(2);
  // Computing a share reserves no capacity.
  expect(flights.shareCapacity([toEndpoint('new', { ownerId: 'honest' })], 8)[0]?.count).toBe(2);
  expect(flights.getCapacity(toEndpoint('new', { ownerId: 'honest' }))).toBe(2);
});

test('proven endpoints of one owner that become silent together leave capacity for others', () => {
  const flights = createInFlight();
  for (let n = 0; n < 8; n += 1) {
    begin(flights, `well ${n}`, 62, 'hostile');
    end(flights, `well ${n}`, 62, true);
    begin(flights, `well ${n}`, flights.getCapacity(toEndpoint(`well ${n}`, { ownerId: 'hostile' })), 'hostile');
  }
  expect(flights.getCapacity(toEndpoint('one more', { ownerId: 'hostile' }))).toBe(0);
  begin(flights, 'honest', 62);
  end(flights, 'honest', 62, true);
  expect(getCapacity(flights, 'honest')).toBe(64);
});

test('counts stay correct when idle endpoints are dropped', () => {
  const flights = createInFlight();
  begin(flights, 'busy', 2, 'ada');
  for (let n = 0; n < 10_001; n += 1) {
    begin(flights, `idle ${n}`, 1, 'ada');
    end(flights, `idle ${n}`, 1, true);
  }
  end(flights, 'busy', 2, true);
  const [all] = flights.shareCapacity([toEndpoint('busy', { ownerId: 'ada' })], 10);
  expect(all?.count).toBe(4);
});
