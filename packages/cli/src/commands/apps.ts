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
  givenPermissions,
  type OutputOf,
  platformsOf,
  users_list,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { overlapOption, readOverlap } from '../overlap-hours.ts';
import { confirm } from '../prompt.ts';
import { readApp } from '../targets.ts';

type App = OutputOf<typeof apps_get>;

export const app = { summary: 'The app, as owner/app' } as const;
const email = { summary: 'E-mail of the user' } as const;

export const appRefOf = ({ owner, name }: Pick<App, 'name' | 'owner'>): string => `${owner.name}/${name}`;

const listColumns: Column<App>[] = [
  { header: 'APP', value: appRefOf },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name, forPeople: true },
  { header: 'OS', value: ({ os }) => os, forPeople: true },
  { header: 'PLATFORM', value: ({ platform }) => platform, forPeople: true },
  { header: 'YOU ARE', value: ({ member_permissions }) => member_permissions?.join(', '), forPeople: true },
];

const columns: Column<App>[] = [
  { header: 'APP', value: appRefOf },
  { header: 'DISPLAY NAME', value: ({ display_name }) => display_name },
  { header: 'OS', value: ({ os }) => os },
  { header: 'PLATFORM', value: ({ platform }) => platform },
  { header: 'RELEASE TYPE', value: ({ release_type }) => release_type },
  { header: 'DESCRIPTION', value: ({ description }) => description },
  { header: 'YOU ARE', value: ({ member_permissions }) => member_permissions?.join(', ') },
  { header: 'APP SECRET', value: ({ app_secret }) => app_secret },
  { header: 'CREATED', value: ({ created_at }) => created_at, isTime: true },
  { header: 'ID', value: ({ id }) => id },
];

const secretColumns: Column<OutputOf<typeof appSecrets_get>>[] = [
  { header: 'APP SECRET', value: ({ app_secret }) => app_secret },
  {
    header: 'FORMER',
    value: ({ former }) => former.map(({ app_secret, ends_at }) => `${app_secret} until ${ends_at}`).join(', '),
  },
];

const oses = Object.keys(platformsOf) as AppOs[];
const platforms = [...new Set(Object.values(platformsOf).flat())] as AppPlatform[];

export const appCommands = [
  command({
    name: 'apps list',
    summary: 'Lists the apps that you can see, as owner/app',
    options: { org: { value: 'NAME', summary: 'Only those of this organization' } },
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
    summary: 'Shows an app',
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns,
  }),
  command({
    name: 'apps create',
    summary: 'Creates an app',
    arguments: { 'display-name': { summary: 'The name to show' } },
    options: {
      os: { value: 'OS', summary: 'Operating system', choices: oses, required: true },
      platform: { value: 'PLATFORM', summary: 'What it is made with', choices: platforms, required: true },
      org: { value: 'NAME', summary: 'For this organization, instead of yourself' },
      name: { value: 'NAME', summary: 'Name in its address (default: made from the name to show)' },
      description: { value: 'TEXT', summary: 'What it is for' },
      'release-type': { value: 'TEXT', summary: 'Such as Alpha, Beta or Production' },
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
      out.value(made, appRefOf(made));
    },
  }),
  operation({
    name: 'apps update',
    endpoint: apps_update,
    summary: 'Changes the settings of an app; an empty text clears one',
    arguments: { app },
    options: {
      name: { value: 'NAME', summary: 'New name in its address' },
      'display-name': { value: 'TEXT', summary: 'New name to show' },
      description: { value: 'TEXT', summary: 'What it is for' },
      'release-type': { value: 'TEXT', summary: 'Such as Alpha, Beta or Production' },
      'icon-url': { value: 'URL', summary: 'Address of its icon' },
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
    endpoint: apps_delete,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `Delete ${args.app} and everything that belongs to it?`,
    done: ({ args }) => `Deleted ${args.app}.`,
  }),
  command({
    name: 'apps transfer',
    summary: 'Gives an app to another owner, or to a new organization named after it',
    arguments: { app, owner: { summary: 'User or organization that gets it', optional: true } },
    options: { 'new-org': { summary: 'Make an organization for it, instead of naming an owner' } },
    async run({ args, options, out, connect }) {
      const params = readApp(args.app);
      if ((args.owner === undefined) !== options['new-org']) throw wrongUsage('Name an <owner>, or give --new-org.');
      const { call } = connect();
      if (args.owner !== undefined) {
        const given = { ...params, destination_owner_name: args.owner };
        const moved = await call(apps_transferOwnership, { params: given });
        out.value(moved, appRefOf(moved));
      } else {
        const made = await call(apps_transferToOrg, { params });
        out.value(made, `${made.name}/${params.app_name}`);
      }
    },
  }),
  operation({
    name: 'apps users list',
    endpoint: users_list,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'E-MAIL', value: (user) => user.email },
      { header: 'PERMISSION', value: (user) => user.permissions?.join(', ') },
      { header: 'NAME', value: (user) => user.name },
      { header: 'DISPLAY NAME', value: (user) => user.display_name },
    ],
  }),
  operation({
    name: 'apps access list',
    endpoint: apps_listAccess,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: [
      { header: 'E-MAIL', value: (person) => person.email },
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
    endpoint: apps_updateUserPermissions,
    arguments: { app, email, permission: { summary: 'What they may do', choices: givenPermissions } },
    input: ({ args }) => ({
      params: { ...readApp(args.app), user_email: args.email },
      body: { permissions: [args.permission] },
    }),
    done: ({ args }) => `${args.email} is ${args.permission} of ${args.app}.`,
  }),
  command({
    name: 'apps users remove',
    summary: apps_removeUser.summary,
    arguments: { app, email },
    options: {
      'keep-tokens': { summary: 'Keep the app tokens that they created (default: revoke them)' },
      yes: { summary: 'Do not ask first' },
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
        await confirm(`Remove ${args.email} and revoke the app tokens that they created: ${names}?`);
      }
      const query = keepsTokens ? { keep_tokens: true } : {};
      await call(apps_removeUser, { params: { ...params, user_email: args.email }, query });
      out.note(`Removed ${args.email} from ${args.app}.`);
      if (names) {
        out.note(
          keepsTokens
            ? `Kept the app tokens that they created, whose values they may know: ${names}.`
            : `Revoked the app tokens that they could no longer create. They had created: ${names}.`,
        );
      }
    },
  }),
  operation({
    name: 'apps teams',
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
    endpoint: appSecrets_get,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: secretColumns,
  }),
  operation({
    name: 'apps secret rotate',
    endpoint: appSecrets_rotate,
    arguments: { app },
    options: {
      hours: overlapOption,
      secret: { value: 'SECRET', summary: 'The one that the app had on another server, instead of a new one' },
    },
    input: ({ args, options: { hours, secret } }) => ({
      params: readApp(args.app),
      body: { overlap_hours: readOverlap(hours), ...(secret ? { app_secret: secret } : {}) },
    }),
    columns: secretColumns,
    confirm: ({ args }) => `Give ${args.app} a new secret? What is installed goes on to send the old one.`,
  }),
  operation({
    name: 'apps secret end',
    endpoint: appSecrets_endFormer,
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    confirm: ({ args }) => `End all former secrets of ${args.app}? What still sends them throws away its logs.`,
    done: ({ args }) => `Only the newest secret of ${args.app} counts.`,
  }),
];
