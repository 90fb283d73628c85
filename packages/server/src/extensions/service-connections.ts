import type { Deps } from '../context.ts';
import { defineExtensionPoint } from './extension-point.ts';

/** Credentials for another service that a user stored for an app, without the secret. */
export interface ServiceConnection {
  id: string;
  name: string;
  service: 'apple' | 'jira' | 'gitlab' | 'googleplay';
  isValid: boolean;
}

/** Lists the connections of a user in one domain. */
export interface ServiceConnectionList {
  list(ctx: Pick<Deps, 'db'>, userId: string): Promise<ServiceConnection[]>;
}

/** Read by the domain `data-requests`. */
export const serviceConnections = defineExtensionPoint<ServiceConnectionList>('service-connections');
