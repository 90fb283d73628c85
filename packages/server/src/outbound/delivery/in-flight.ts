/** Of all endpoints together, and of those that fail or have not answered yet: these wait for each other, and hold up nobody else. */
const MOST = 512;
const MOST_UNPROVEN = MOST / 2;
/** One owner leaves room for others, however many endpoints it has: endpoints that answered well can become silent together. */
const MAX_PER_OWNER = MOST - 64;
const MAX_UNPROVEN_PER_OWNER = MOST_UNPROVEN / 4;
/** Of one endpoint: at first, and when it answers well. */
const FIRST = 2;
/** Whoever answers later gets no more at a time, and after this long less: more under way would only wait longer, here or there. */
const SOON = 250;
const LATE = 1000;
const MOST_OF_ONE = 64;
/** Beyond these, idle endpoints are forgotten. */
const MOST_REMEMBERED = 10_000;

interface Counts {
  all: number;
  unproven: number;
}

interface Flights {
  /** Of its owner, with all its other endpoints. */
  owned: Counts;
  underWay: number;
  /** Grows by one with each success that comes soon and is halved by each failure, so that who does not answer holds little. */
  limit: number;
  /** It took something since this process began, and does not fail. */
  isProven: boolean;
}

export interface ServedEndpoint {
  id: string;
  ownerId: string;
  isFailing: boolean;
}

export interface InFlight {
  /** How many more deliveries an endpoint may have under way now. */
  roomFor(endpoint: ServedEndpoint): number;
  /** Shares the room among endpoints: at most `share` deliveries for each. */
  shareRoom<E extends ServedEndpoint>(endpoints: readonly E[], share: number): { endpoint: E; count: number }[];
  begin(endpoint: ServedEndpoint): void;
  end(endpointId: string, isSuccess: boolean, ms: number): void;
}

/** Counts the deliveries under way from this process, by endpoint and by owner. */
export function createInFlight(): InFlight {
  const known = new Map<string, Flights>();
  const owners = new Map<string, Counts>();
  const underWay: Counts = { all: 0, unproven: 0 };

  function getCounts(ownerId: string): Counts {
    const counts = owners.get(ownerId) ?? { all: 0, unproven: 0 };
    owners.set(ownerId, counts);
    return counts;
  }

  function getFlights({ id, ownerId, isFailing }: ServedEndpoint): Flights {
    const created = { owned: getCounts(ownerId), underWay: 0, limit: isFailing ? 1 : FIRST, isProven: false };
    const flights = known.get(id) ?? created;
    known.set(id, flights);
    return flights;
  }

  function add(flights: Flights, count: number): void {
    flights.underWay += count;
    for (const counts of [underWay, flights.owned]) {
      counts.all += count;
      if (!flights.isProven) counts.unproven += count;
    }
  }

  function judge(flights: Flights, isProven: boolean): void {
    if (flights.isProven === isProven) return;
    flights.isProven = isProven;
    for (const counts of [underWay, flights.owned]) counts.unproven += isProven ? -flights.underWay : flights.underWay;
  }

  function roomFor(endpoint: ServedEndpoint): number {
    const flights = getFlights(endpoint);
    if (endpoint.isFailing) judge(flights, false);
    const { owned, isProven } = flights;
    const left = Math.min(MOST - underWay.all, MAX_PER_OWNER - owned.all, flights.limit - flights.underWay);
    if (isProven) return Math.max(0, left);
    return Math.max(0, Math.min(left, MOST_UNPROVEN - underWay.unproven, MAX_UNPROVEN_PER_OWNER - owned.unproven));
  }

  function forgetIdle(): void {
    for (const [id, flights] of known) if (flights.underWay === 0) known.delete(id);
    for (const [id, counts] of owners) if (counts.all === 0) owners.delete(id);
  }

  return {
    roomFor,
    shareRoom(endpoints, share) {
      const shared = endpoints.map((endpoint) => {
        const count = Math.min(share, roomFor(endpoint));
        // Counted until all have their share, so that together they get no more than there is.
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
      const flights = known.get(id);
      if (!flights) return;
      add(flights, -1);
      judge(flights, isSuccess);
      if (!isSuccess) flights.limit = Math.max(1, flights.limit >> 1);
      else if (ms < SOON) flights.limit = Math.min(MOST_OF_ONE, flights.limit + 1);
      else if (ms > LATE) flights.limit = Math.max(FIRST, flights.limit - 1);
      if (known.size > MOST_REMEMBERED) forgetIdle();
    },
  };
}
