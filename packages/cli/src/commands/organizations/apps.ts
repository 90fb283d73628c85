import {
  type AppOs,
  type AppPlatform,
  appApiTokens_list,
  appSecrets_endFormer,
  appSecrets_get,
  appSecrets_rotate,
  apps_create,
  apps_createForOrg,
  apps_delete,
  apps_get,
  apps_getTeams,
  apps_list,
  apps_listAccess,
  apps_listForOrg,
  apps_removeUser,
  apps_transferOwnership,
  apps_transferToOrg,
  apps_update,
  apps_updateUserPermissions,
  type EndpointOutput,
  grantablePermissions,
  platformsByOs,
  users_list,
} from '@mooring/contract';
import { overlapOption, readOverlap } from '../../arguments/overlap-hours.ts';
import { app, readApp } from '../../arguments/targets.ts';
import { command } from '../../framework/command.ts';
import { wrongUsage } from '../../framework/errors.ts';
import { operation } from '../../framework/operation.ts';
import type { Column } from '../../terminal/output.ts';
import { confirm } from '../../terminal/prompt.ts';

type App = EndpointOutput<typeof apps_get>;

const email = { summary: 'Email of the user' } as const;

export const formatAppRef = ({ owner, name }: Pick<App, 'name' | 'owner'>): string => `${owner.name}/${name}`;

const listColumns: Column<App>[] = [
  { header: 'APP', value: formatAppRef },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name, forPeople: true },
  { header: 'OS', value: ({ os }) => os, forPeople: true },
  { header: 'PLATFORM', value: ({ platform }) => platform, forPeople: true },
  { header: 'YOUR PERMISSION', value: ({ member_permissions }) => member_permissions?.join(', '), forPeople: true },
];

const columns: Column<App>[] = [
  { header: 'APP', value: formatAppRef },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'OS', value: ({ os }) => os },
  { header: 'PLATFORM', value: ({ platform }) => platform },
  { header: 'RELEASE TYPE', value: ({ release_type }) => release_type },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'YOUR PERMISSION', value: ({ member_permissions }) => member_permissions?.join(', ') },
  { header: 'APP SECRET', value: ({ app_secret }) => app_secret },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

const secretColumns: Column<EndpointOutput<typeof appSecrets_get>>[] = [
  { header: 'APP SECRET', value: ({ app_secret }) => app_secret },
  {
    header: 'PREVIOUS',
    value: ({ former }) => former.map(({ app_secret, ends_at }) => `${app_secret} until ${ends_at}`).join(', '),
  },
];

const oses = Object.keys(platformsByOs) as AppOs[];
const platforms = [...new Set(Object.values(platformsByOs).flat())] as AppPlatform[];

export const appCommands = [
  command({
    name: 'apps list',
    summary: 'List the apps that you can see, as owner/app',
    options: { org: { value: 'NAME', summary: 'Filter by organization' } },
    async run({ options, out, connect }) {
      const { call } = connect();
      const query = { $orderBy: 'name' } as const;
      const apps = options.org
        ? await call(apps_listForOrg, { params: { org_name: options.org }, query })
        : await call(apps_list, { query });
      out.table(apps, apps, listColumns);
    },
  }),
  operation({
    name: 'apps show',
    endpoint: apps_get,
    summary: 'Show an app',
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  command({
    name: 'apps create',
    summary: 'Create an app',
    arguments: { 'display-name': { summary: 'Display name' } },
    options: {
      os: { value: 'OS', summary: 'Operating system', choices: oses, required: true },
      platform: { value: 'PLATFORM', summary: 'Platform', choices: platforms, required: true },
      org: { value: 'NAME', summary: 'Organization that owns the app (default: you)' },
      name: { value: 'NAME', summary: 'Name in URLs (default: derived from the display name)' },
      description: { value: 'TEXT', summary: 'Description' },
      'release-type': { value: 'TEXT', summary: 'Release type, such as Alpha, Beta or Production' },
    },
    async run({ args, options, out, connect }) {
      const body = {
        display_name: args['display-name'],
        os: options.os,
        platform: options.platform,
        name: options.name,
        description: options.description,
        release_type: options['release-type'],
      };
      const { call } = connect();
      const made = options.org
        ? await call(apps_createForOrg, { params: { org_name: options.org }, body })
        : await call(apps_create, { body });
      out.value(made, formatAppRef(made));
    },
  }),
  operation({
    name: 'apps update',
    endpoint: apps_update,
    summary: 'Change the settings of an app; an empty value clears a setting',
    arguments: { app },
    options: {
      name: { value: 'NAME', summary: 'New name in URLs' },
      'display-name': { value: 'TEXT', summary: 'New display name' },
      description: { value: 'TEXT', summary: 'Description' },
      'release-type': { value: 'TEXT', summary: 'Release type, such as Alpha, Beta or Production' },
      'icon-url': { value: 'URL', summary: 'URL of the icon' },
    },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: {
        name: options.name,
        display_name: options['display-name'],
        description: options.description,
        release_type: options['release-type'],
        icon_url: options['icon-url'],
      },
    }),
    columns,
  }),
  operation({
    name: 'apps delete',
    summary: 'Delete an app and all its data',
    endpoint: apps_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Delete ${args.app} and all its data?`,
    done: ({ args }) => `Deleted app ${args.app}.`,
  }),
  command({
    name: 'apps transfer',
    summary: 'Transfer an app to another owner, or to a new organization with the name of the app',
    arguments: { app, owner: { summary: 'User or organization that becomes the owner', optional: true } },
    options: { 'new-org': { summary: 'Transfer to a new organization' } },
    async run({ args, options, out, connect }) {
      const params = readApp(args.app);
      if ((args.owner === undefined) !== options['new-org']) throw wrongUsage('Pass either <owner> or --new-org.');
      const { call } = connect();
      if (args.owner !== undefined) {
        const transfer = { ...params, destination_owner_name: args.owner };
        const moved = await call(apps_transferOwnership, { params: transfer });
        out.value(moved, formatAppRef(moved));
      } else {
        const made = await call(apps_transferToOrg, { params });
        out.value(made, `${made.name}/${params.app_name}`);
      }
    },
  }),
  operation({
    name: 'apps users list',
    summary: 'List the users of an app with their permissions',
    endpoint: users_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'EMAIL', value: (user) => user.email },
      { header: 'PERMISSION', value: (user) => user.permissions?.join(', ') },
      { header: 'NAME', value: (user) => user.name },
      { header: 'DISPLAY NAME', value: (user) => user.display_name },
    ],
  }),
  operation({
    name: 'apps access list',
    summary: 'List everyone with access to an app, and whether it comes directly, from a team or from the organization',
    endpoint: apps_listAccess,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'EMAIL', value: (person) => person.email },
      { header: 'PERMISSION', value: (person) => person.permission },
      {
        header: 'VIA',
        value: ({ via }) => via.map(({ kind, name }) => (name ? `${kind} ${name}` : kind)).join(', '),
      },
      { header: 'DISPLAY NAME', value: (person) => person.display_name, forPeople: true },
    ],
  }),
  operation({
    name: 'apps users set',
    summary: 'Change the permission of a user on an app',
    endpoint: apps_updateUserPermissions,
    arguments: { app, email, permission: { summary: 'New permission', choices: grantablePermissions } },
    input: ({ args }) => ({
      params: { ...readApp(args.app), user_email: args.email },
      body: { permissions: [args.permission] },
    }),
    done: ({ args }) => `${args.email} is now ${args.permission} of ${args.app}.`,
  }),
  command({
    name: 'apps users remove',
    summary: 'Remove a user from an app',
    arguments: { app, email },
    options: {
      'keep-tokens': { summary: 'Keep app tokens that the user created (default: revoke them)' },
      yes: { summary: 'Skip the confirmation prompt' },
    },
    async run({ args, options, out, connect }) {
      const { call } = connect();
      const params = readApp(args.app);
      const person = (await call(users_list, { params })).find(
        (user) => user.email.toLowerCase() === args.email.toLowerCase(),
      );
      const tokens = (await call(appApiTokens_list, { params, query: {} })).filter(
        ({ created_by }) => created_by === person?.name,
      );
      const names = tokens
        .map(({ description, last_four }) => `${description || 'unnamed'} (…${last_four})`)
        .join(', ');
      const keepsTokens = options['keep-tokens'];
      if (names && !keepsTokens && !options.yes) {
        await confirm(`Remove ${args.email} and revoke the app tokens that this user created: ${names}?`);
      }
      const query = keepsTokens ? { keep_tokens: true } : {};
      await call(apps_removeUser, { params: { ...params, user_email: args.email }, query });
      out.note(`Removed ${args.email} from ${args.app}.`);
      if (names) {
        out.note(
          keepsTokens
            ? `Kept app tokens whose values this user may know: ${names}.`
            : `Revoked the app tokens that exceed the remaining permission of this user, who had created: ${names}.`,
        );
      }
    },
  }),
  operation({
    name: 'apps teams',
    summary: 'List the teams of an app with their permissions',
    endpoint: apps_getTeams,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'TEAM', value: (team) => team.name },
      { header: 'PERMISSION', value: (team) => team.permissions?.join(', ') },
      { header: 'DISPLAY NAME', value: (team) => team.display_name },
    ],
  }),
  operation({
    name: 'apps secret show',
    summary: 'Show the app secret, and previous secrets that are still valid',
    endpoint: appSecrets_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: secretColumns,
  }),
  operation({
    name: 'apps secret rotate',
    summary: 'Replace the app secret; the previous secret stays valid for a while',
    endpoint: appSecrets_rotate,
    arguments: { app },
    options: {
      hours: overlapOption,
      secret: { value: 'SECRET', summary: 'App secret from another server (default: a new secret)' },
    },
    input: ({ args, options: { hours, secret } }) => ({
      params: readApp(args.app),
      body: { overlap_hours: readOverlap(hours), ...(secret ? { app_secret: secret } : {}) },
    }),
    columns: secretColumns,
    confirm: ({ args }) =>
      `Replace the secret of ${args.app}? Installed apps use the previous secret until it expires.`,
  }),
  operation({
    name: 'apps secret end',
    summary: 'Revoke all previous app secrets',
    endpoint: appSecrets_endFormer,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) =>
      `Revoke all previous secrets of ${args.app}? SDKs in installed apps that still use them will drop their logs.`,
    done: ({ args }) => `Revoked all previous secrets of ${args.app}.`,
  }),
];
