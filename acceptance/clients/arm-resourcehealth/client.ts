import { readFileSync } from 'node:fs';
import type { RunningServer } from '../../harness/server.ts';

/** The parts of the client that the suite uses; its types exist only once it is installed. */
export interface HealthClient {
  eventsOperations: {
    listBySubscriptionId(options?: ListOptions): Paged;
    listByTenantId(options?: ListOptions): Paged;
  };
  eventOperations: {
    getBySubscriptionIdAndTrackingId(trackingId: string): Promise<HealthEvent>;
    getByTenantIdAndTrackingId(trackingId: string): Promise<HealthEvent>;
  };
}

interface ListOptions {
  filter?: string;
  queryStartTime?: string;
}

type Paged = AsyncIterable<HealthEvent> & { byPage(): AsyncIterable<HealthEvent[]> };

export interface HealthEvent {
  name?: string;
  [property: string]: unknown;
}

interface ClientModule {
  MicrosoftResourceHealth: new (
    credential: { getToken(): Promise<{ token: string; expiresOnTimestamp: number }> },
    subscriptionId: string,
    options: { endpoint: string; tlsOptions: { ca: string }; apiVersion?: string },
  ) => HealthClient;
}

export interface Caller {
  token: string;
  subscriptionId: string;
  /** The client's default is 2022-10-01. */
  apiVersion?: string;
}

/** The unmodified client with its own pipeline, over https, with the authority to trust. */
export async function clientAt(server: RunningServer, caller: Caller): Promise<HealthClient> {
  const name = '@azure/arm-resourcehealth';
  const { MicrosoftResourceHealth } = (await import(name)) as ClientModule;
  const { token, subscriptionId, apiVersion } = caller;
  const getToken = async () => ({ token, expiresOnTimestamp: Date.now() + 3_600_000 });
  return new MicrosoftResourceHealth({ getToken }, subscriptionId, {
    endpoint: server.httpsUrl,
    tlsOptions: { ca: readFileSync(server.caFile, 'utf8') },
    ...(apiVersion ? { apiVersion } : {}),
  });
}
