import {
  type EndpointOutput,
  type EndpointSpec,
  runners_inviteForApp,
  runners_inviteForOrg,
  runners_inviteForServer,
  runners_listForApp,
  runners_listForOrg,
  runners_listForServer,
  runners_removeFromApp,
  runners_removeFromOrg,
  runners_removeFromServer,
} from '@mooring/contract';
import { type AppRef, appKey } from '../apps.ts';
import { call, useChange, useRead } from '../client.ts';
import { orgKey } from '../organizations/orgs.ts';

export type Runner = EndpointOutput<typeof runners_listForApp>[number];
export type RegistrationCode = EndpointOutput<typeof runners_inviteForApp>;

/** Runners of an app, an organization or the server. */
export interface RunnerOperations {
  key: string[];
  serves: Runner['serves'];
  /** Permissions to create a code and to remove a runner. */
  needs: { invite: EndpointSpec; remove: EndpointSpec };
  list: () => Promise<Runner[]>;
  invite: () => Promise<RegistrationCode>;
  remove: (id: string) => Promise<unknown>;
}

export const appRunners = (params: AppRef): RunnerOperations => ({
  key: [...appKey(params), 'runners'],
  serves: 'app',
  needs: { invite: runners_inviteForApp, remove: runners_removeFromApp },
  list: () => call(runners_listForApp, { params }),
  invite: () => call(runners_inviteForApp, { params, body: {} }),
  remove: (runner_id) => call(runners_removeFromApp, { params: { ...params, runner_id } }),
});

export const orgRunners = (org_name: string): RunnerOperations => ({
  key: [...orgKey(org_name), 'runners'],
  serves: 'organization',
  needs: { invite: runners_inviteForOrg, remove: runners_removeFromOrg },
  list: () => call(runners_listForOrg, { params: { org_name } }),
  invite: () => call(runners_inviteForOrg, { params: { org_name }, body: {} }),
  remove: (runner_id) => call(runners_removeFromOrg, { params: { org_name, runner_id } }),
});

export const serverRunners: RunnerOperations = {
  key: ['admin', 'runners'],
  serves: 'server',
  needs: { invite: runners_inviteForServer, remove: runners_removeFromServer },
  list: () => call(runners_listForServer),
  invite: () => call(runners_inviteForServer, { body: {} }),
  remove: (runner_id) => call(runners_removeFromServer, { params: { runner_id } }),
};

export const useRunners = ({ key, list }: RunnerOperations) => useRead(key, list);

export const useInviteRunner = ({ key, invite }: RunnerOperations) => useChange((_: undefined) => invite(), key);

export const useRemoveRunner = ({ key, remove }: RunnerOperations) =>
  useChange(({ id }: Pick<Runner, 'id'>) => remove(id), key);
