import {
  adminAudit_list,
  adminJobs_list,
  adminMails_list,
  adminOauthClients_list,
  adminServer_get,
  adminUsers_list,
  appApiTokens_list,
  appAudit_list,
  apps_get,
  apps_listForOrg,
  apps_update,
  distributionGroups_list,
  distributionGroups_listForOrg,
  type EndpointSpec,
  Events_ListByTenantId,
  healthOperators_list,
  orgAudit_list,
  organizations_update,
  orgInvitations_listPending,
  Subscriptions_Save,
  serviceAccounts_list,
  teams_listAll,
  users_get,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import type { ComponentType } from 'react';

export type Load = () => Promise<{ default: ComponentType }>;

/** A page that has an entry in the navigation; who may not call what it needs does not see the entry. */
export interface Section {
  /** Below the address of the area that it belongs to; empty for the area's first page. */
  path: string;
  label: string;
  needs: EndpointSpec;
  load: Load;
  /** Pages that are reached from this one. */
  below?: { path: string; load: Load }[];
}

export interface Area {
  /** Where its pages are. */
  bases: string[];
  label: string;
  sections: Section[];
}

export const settings: Area = {
  bases: ['/settings'],
  label: 'Settings',
  sections: [
    { path: 'profile', label: 'Profile', needs: users_get, load: () => import('./pages/accounts/profile.page.tsx') },
    { path: 'sessions', label: 'Sessions', needs: users_get, load: () => import('./pages/accounts/sessions.page.tsx') },
    { path: 'tokens', label: 'API tokens', needs: users_get, load: () => import('./pages/tokens/my-tokens.page.tsx') },
    {
      path: 'connections',
      label: 'Connections',
      needs: users_get,
      load: () => import('./pages/identity/connections.page.tsx'),
    },
  ],
};

export const administration: Area = {
  bases: ['/admin'],
  label: 'Administration',
  sections: [
    {
      path: 'users',
      label: 'Users',
      needs: adminUsers_list,
      load: () => import('./pages/accounts/users.page.tsx'),
      below: [{ path: ':user/tokens', load: () => import('./pages/tokens/user.page.tsx') }],
    },
    {
      path: 'clients',
      label: 'OAuth clients',
      needs: adminOauthClients_list,
      load: () => import('./pages/identity/clients.page.tsx'),
    },
    {
      path: 'mails',
      label: 'Mail outbox',
      needs: adminMails_list,
      load: () => import('./pages/administration/mails.page.tsx'),
    },
    { path: 'jobs', label: 'Jobs', needs: adminJobs_list, load: () => import('./pages/administration/jobs.page.tsx') },
    {
      path: 'server',
      label: 'Server',
      needs: adminServer_get,
      load: () => import('./pages/administration/server.page.tsx'),
    },
    {
      path: 'subscriptions',
      label: 'Subscriptions',
      needs: Subscriptions_Save,
      load: () => import('./pages/subscriptions/subscriptions.page.tsx'),
      below: [{ path: ':subscription', load: () => import('./pages/subscriptions/subscription.page.tsx') }],
    },
    {
      path: 'health-operators',
      label: 'Health operators',
      needs: healthOperators_list,
      load: () => import('./pages/subscriptions/operators.page.tsx'),
    },
    { path: 'audit', label: 'Audit log', needs: adminAudit_list, load: () => import('./pages/audit/server.page.tsx') },
  ],
};

export const app: Area = {
  bases: ['/users/:owner/apps/:app', '/orgs/:owner/apps/:app'],
  label: 'App',
  sections: [
    { path: '', label: 'Overview', needs: apps_get, load: () => import('./pages/apps/overview.page.tsx') },
    { path: 'users', label: 'Users', needs: users_list, load: () => import('./pages/apps/users.page.tsx') },
    {
      path: 'groups',
      label: 'Groups',
      needs: distributionGroups_list,
      load: () => import('./pages/groups/app-groups.page.tsx'),
      below: [{ path: ':group', load: () => import('./pages/groups/app-group.page.tsx') }],
    },
    {
      path: 'tokens',
      label: 'API tokens',
      needs: appApiTokens_list,
      load: () => import('./pages/tokens/app.page.tsx'),
    },
    { path: 'audit', label: 'Audit log', needs: appAudit_list, load: () => import('./pages/audit/app.page.tsx') },
    { path: 'settings', label: 'Settings', needs: apps_update, load: () => import('./pages/apps/settings.page.tsx') },
  ],
};

export const org: Area = {
  bases: ['/orgs/:org'],
  label: 'Organization',
  sections: [
    { path: '', label: 'Apps', needs: apps_listForOrg, load: () => import('./pages/orgs/apps.page.tsx') },
    { path: 'people', label: 'People', needs: users_listForOrg, load: () => import('./pages/orgs/people.page.tsx') },
    {
      path: 'invitations',
      label: 'Invitations',
      needs: orgInvitations_listPending,
      load: () => import('./pages/orgs/invitations.page.tsx'),
    },
    {
      path: 'teams',
      label: 'Teams',
      needs: teams_listAll,
      load: () => import('./pages/teams/teams.page.tsx'),
      below: [{ path: ':team', load: () => import('./pages/teams/team.page.tsx') }],
    },
    {
      path: 'groups',
      label: 'Shared groups',
      needs: distributionGroups_listForOrg,
      load: () => import('./pages/groups/org-groups.page.tsx'),
      below: [{ path: ':group', load: () => import('./pages/groups/org-group.page.tsx') }],
    },
    {
      path: 'service-accounts',
      label: 'Service accounts',
      needs: serviceAccounts_list,
      load: () => import('./pages/orgs/service-accounts.page.tsx'),
      below: [{ path: ':account', load: () => import('./pages/tokens/service-account.page.tsx') }],
    },
    { path: 'audit', label: 'Audit log', needs: orgAudit_list, load: () => import('./pages/audit/org.page.tsx') },
    {
      path: 'settings',
      label: 'Settings',
      needs: organizations_update,
      load: () => import('./pages/orgs/settings.page.tsx'),
    },
  ],
};

export interface MainEntry {
  to: string;
  label: string;
  needs: EndpointSpec;
  /** Addresses below these belong to it as well. */
  covers: string[];
}

/** The entries of the bar at the top. */
export const main: MainEntry[] = [
  { to: '/', label: 'Apps', needs: users_get, covers: ['/users/'] },
  { to: '/orgs', label: 'Organizations', needs: users_get, covers: ['/orgs'] },
  { to: '/health', label: 'Service health', needs: Events_ListByTenantId, covers: ['/health/'] },
  { to: '/admin/users', label: 'Administration', needs: adminUsers_list, covers: ['/admin/'] },
];
