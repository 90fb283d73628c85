/** Of all endpoints together, and of those that fail: these wait for each other, and hold up nobody else. */
const MOST = 512;
const MOST_FAILING = MOST / 2;
/** Of one endpoint: at first, and when it answers well. */
const FIRST = 8;
const MOST_OF_ONE = 64;
/** Beyond these, idle endpoints are forgotten. */
const MOST_REMEMBERED = 10_000;

interface Flights {
  underWay: number;
  /** Grows by one with each success and is halved by each failure, so that who does not answer holds little. */
  limit: number;
  isFailing: boolean;
}

export interface InFlight {
  /** How many more deliveries an endpoint may have under way now. */
  roomFor(endpoint: { id: string; isFailing: boolean }): number;
  begin(endpointId: string): void;
  end(endpointId: string, isSuccess: boolean): void;
}

/** Counts what is under way from this process to each endpoint. */
export function createInFlight(): InFlight {
  const known = new Map<string, Flights>();
  const underWay = { all: 0, failing: 0 };

  function flightsOf(id: string, isFailing = false): Flights {
    const flights = known.get(id) ?? { underWay: 0, limit: isFailing ? 1 : FIRST, isFailing };
    known.set(id, flights);
    return flights;
  }

  function add(flights: Flights, count: 1 | -1): void {
    flights.underWay += count;
    underWay.all += count;
    if (flights.isFailing) underWay.failing += count;
  }

  return {
    roomFor({ id, isFailing }) {
      const flights = flightsOf(id, isFailing);
      if (flights.isFailing !== isFailing) {
        flights.isFailing = isFailing;
        underWay.failing += isFailing ? flights.underWay : -flights.underWay;
      }
      const left = Math.min(MOST - underWay.all, isFailing ? MOST_FAILING - underWay.failing : MOST);
      return Math.max(0, Math.min(left, flights.limit - flights.underWay));
    },
    begin(id) {
      add(flightsOf(id), 1);
    },
    end(id, isSuccess) {
      const flights = flightsOf(id);
      add(flights, -1);
      flights.limit = isSuccess ? Math.min(MOST_OF_ONE, flights.limit + 1) : Math.max(1, flights.limit >> 1);
      if (known.size <= MOST_REMEMBERED) return;
      for (const [idle, { underWay }] of known) if (underWay === 0) known.delete(idle);
    },
  };
}
