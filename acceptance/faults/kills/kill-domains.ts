import { branchConfigurations_create } from '@mooring/contract';
import { examples } from '@mooring/contract/examples';

/** A resource that a writer creates, or deletes if it exists. */
interface Toggled {
  /** Its key in the database, which is its ID in URLs. */
  table: string;
  key: string;
  id: string;
  audited: string;
  create(name: string): { method: 'POST' | 'PUT'; path: string; body: object };
  remove(id: string): string;
}

const compass = '/v0.1/apps/ada/compass';

/** A resource with its own URL below a list. */
const below = (list: string, createBody: (name: string) => object): Pick<Toggled, 'create' | 'remove'> => ({
  create: (name) => ({ method: 'POST', path: `${compass}/${list}`, body: createBody(name) }),
  remove: (id) => `${compass}/${list}/${id}`,
});

const audience = (name: string): string => `${compass}/analytics/audiences/${name}`;
const branch = (name: string): string => `${compass}/branches/${name}/config`;

/** A resource of each domain with user data. */
export const toggled = {
  deployment: {
    table: 'codepush_deployments',
    key: 'name',
    id: 'name',
    audited: 'deployment',
    ...below('deployments', (name) => ({ name })),
  },
  audience: {
    table: 'analytics_audiences',
    key: 'name',
    id: 'name',
    audited: 'analytics_audience',
    create: (name) => ({ method: 'PUT', path: audience(name), body: { definition: "AppVersion eq '1.0'" } }),
    remove: audience,
  },
  rule: {
    table: 'alert_rules',
    key: 'name',
    id: 'id',
    audited: 'alert_rule',
    ...below('alert_rules', (name) => ({ name, kind: 'crash_free_percent', threshold: 90 })),
  },
  webhook: {
    table: 'webhooks',
    key: 'name',
    id: 'id',
    audited: 'webhook',
    ...below('webhooks', (name) => ({ name, url: 'https://hooks.invalid/k', event_types: ['newAppReleased'] })),
  },
  series: {
    table: 'test_series',
    key: 'name',
    id: 'slug',
    audited: 'test_series',
    ...below('test_series', (name) => ({ name })),
  },
  branch: {
    table: 'build_branches',
    key: 'branch',
    id: 'branch',
    audited: 'branch_configuration',
    create: (name) => ({ method: 'POST', path: branch(name), body: examples[branchConfigurations_create.id].body }),
    remove: branch,
  },
} satisfies Record<string, Toggled>;

export type ToggledKind = keyof typeof toggled;
export const toggledKinds = Object.keys(toggled) as ToggledKind[];
