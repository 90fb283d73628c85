/** Of all endpoints together, and of those that fail or have not answered yet: these wait for each other, and hold up nobody else. */
const MOST = 512;
const MOST_UNPROVEN = MOST / 2;
/** Of one endpoint: at first, and when it answers well. */
const FIRST = 2;
/** Whoever answers later gets no more at a time, and after this long less: more under way would only wait longer, here or there. */
const SOON = 250;
const LATE = 1000;
const MOST_OF_ONE = 64;
/** Beyond these, idle endpoints are forgotten. */
const MOST_REMEMBERED = 10_000;

interface Flights {
  underWay: number;
  /** Grows by one with each success that comes soon and is halved by each failure, so that who does not answer holds little. */
  limit: number;
  /** It took something since this process began, and does not fail. */
  isProven: boolean;
}

export interface InFlight {
  /** How many more deliveries an endpoint may have under way now. */
  roomFor(endpoint: { id: string; isFailing: boolean }): number;
  begin(endpointId: string): void;
  end(endpointId: string, isSuccess: boolean, ms: number): void;
}

/** Counts what is under way from this process to each endpoint. */
export function createInFlight(): InFlight {
  const known = new Map<string, Flights>();
  const underWay = { all: 0, unproven: 0 };

  function flightsOf(id: string, isFailing = false): Flights {
    const flights = known.get(id) ?? { underWay: 0, limit: isFailing ? 1 : FIRST, isProven: false };
    known.set(id, flights);
    return flights;
  }

  function add(flights: Flights, count: 1 | -1): void {
    flights.underWay += count;
    underWay.all += count;
    if (!flights.isProven) underWay.unproven += count;
  }

  function judge(flights: Flights, isProven: boolean): void {
    if (flights.isProven === isProven) return;
    flights.isProven = isProven;
    underWay.unproven += isProven ? -flights.underWay : flights.underWay;
  }

  return {
    roomFor({ id, isFailing }) {
      const flights = flightsOf(id, isFailing);
      if (isFailing) judge(flights, false);
      const left = Math.min(MOST - underWay.all, flights.isProven ? MOST : MOST_UNPROVEN - underWay.unproven);
      return Math.max(0, Math.min(left, flights.limit - flights.underWay));
    },
    begin(id) {
      add(flightsOf(id), 1);
    },
    end(id, isSuccess, ms) {
      const flights = flightsOf(id);
      add(flights, -1);
      judge(flights, isSuccess);
      if (!isSuccess) flights.limit = Math.max(1, flights.limit >> 1);
      else if (ms < SOON) flights.limit = Math.min(MOST_OF_ONE, flights.limit + 1);
      else if (ms > LATE) flights.limit = Math.max(FIRST, flights.limit - 1);
      if (known.size <= MOST_REMEMBERED) return;
      for (const [idle, { underWay }] of known) if (underWay === 0) known.delete(idle);
    },
  };
}
