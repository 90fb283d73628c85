/**
 * Limits of all endpoints together, and of those that fail or have not responded yet: unproven endpoints wait for each
 * other, without delaying others.
 */
const MAX_DELIVERIES = 512;
const MAX_UNPROVEN = MAX_DELIVERIES / 2;
/**
 * Limits per owner. Proven endpoints can stop responding all together, so an owner with many must leave some capacity
 * to others.
 */
const MAX_PER_OWNER = MAX_DELIVERIES - 64;
const MAX_UNPROVEN_PER_OWNER = MAX_UNPROVEN / 4;
/** First limit of an endpoint. Successes raise it. */
const FIRST = 2;
/**
 * Responses within `SOON` ms raise the limit of an endpoint, and those after `LATE` ms lower it: more concurrent
 * deliveries would only wait longer.
 */
const SOON = 250;
const LATE = 1000;
const MAX_PER_ENDPOINT = 64;
/** Limit of remembered endpoints; beyond it, idle ones are dropped. */
const MAX_REMEMBERED = 10_000;

interface Counts {
  all: number;
  unproven: number;
}

interface Flights {
  /** Counts of its owner, with all endpoints. */
  owned: Counts;
  underWay: number;
  /**
   * Grows by one with each fast success and is halved by each failure, so that an endpoint that does not respond
   * occupies little.
   */
  limit: number;
  /** True after a success in this process, until it fails. */
  isProven: boolean;
}

export interface ServedEndpoint {
  id: string;
  ownerId: string;
  isFailing: boolean;
}

export interface InFlight {
  /** Number of deliveries that can be started for an endpoint now. */
  getCapacity(endpoint: ServedEndpoint): number;
  /** Divides the free capacity among endpoints: at most `share` deliveries each. */
  shareCapacity<E extends ServedEndpoint>(endpoints: readonly E[], share: number): { endpoint: E; count: number }[];
  begin(endpoint: ServedEndpoint): void;
  end(endpointId: string, isSuccess: boolean, ms: number): void;
}

/** Counts the deliveries in progress in this process, by endpoint and by owner. */
export function createInFlight(): InFlight {
  const flightsById = new Map<string, Flights>();
  const owners = new Map<string, Counts>();
  const underWay: Counts = { all: 0, unproven: 0 };

  function getCounts(ownerId: string): Counts {
    const counts = owners.get(ownerId) ?? { all: 0, unproven: 0 };
    owners.set(ownerId, counts);
    return counts;
  }

  function getFlights({ id, ownerId, isFailing }: ServedEndpoint): Flights {
    const created = { owned: getCounts(ownerId), underWay: 0, limit: isFailing ? 1 : FIRST, isProven: false };
    const flights = flightsById.get(id) ?? created;
    flightsById.set(id, flights);
    return flights;
  }

  function add(flights: Flights, count: number): void {
    flights.underWay += count;
    for (const counts of [underWay, flights.owned]) {
      counts.all += count;
      if (!flights.isProven) counts.unproven += count;
    }
  }

  function setProven(flights: Flights, isProven: boolean): void {
    if (flights.isProven === isProven) return;
    flights.isProven = isProven;
    for (const counts of [underWay, flights.owned]) counts.unproven += isProven ? -flights.underWay : flights.underWay;
  }

  function getCapacity(endpoint: ServedEndpoint): number {
    const flights = getFlights(endpoint);
    if (endpoint.isFailing) setProven(flights, false);
    const { owned, isProven } = flights;
    const left = Math.min(MAX_DELIVERIES - underWay.all, MAX_PER_OWNER - owned.all, flights.limit - flights.underWay);
    if (isProven) return Math.max(0, left);
    return Math.max(0, Math.min(left, MAX_UNPROVEN - underWay.unproven, MAX_UNPROVEN_PER_OWNER - owned.unproven));
  }

  function removeIdle(): void {
    for (const [id, flights] of flightsById) if (flights.underWay === 0) flightsById.delete(id);
    for (const [id, counts] of owners) if (counts.all === 0) owners.delete(id);
  }

  return {
    getCapacity,
    shareCapacity(endpoints, share) {
      const shared = endpoints.map((endpoint) => {
        const count = Math.min(share, getCapacity(endpoint));
        // Reserves each share until all are computed, so that together they do not exceed the capacity.
        add(getFlights(endpoint), count);
        return { endpoint, count };
      });
      for (const { endpoint, count } of shared) add(getFlights(endpoint), -count);
      return shared;
    },
    begin(endpoint) {
      add(getFlights(endpoint), 1);
    },
    end(id, isSuccess, ms) {
      const flights = flightsById.get(id);
      if (!flights) return;
      add(flights, -1);
      setProven(flights, isSuccess);
      if (!isSuccess) flights.limit = Math.max(1, flights.limit >> 1);
      else if (ms < SOON) flights.limit = Math.min(MAX_PER_ENDPOINT, flights.limit + 1);
      else if (ms > LATE) flights.limit = Math.max(FIRST, flights.limit - 1);
      if (flightsById.size > MAX_REMEMBERED) removeIdle();
    },
  };
}
