import { createHash } from 'node:crypto';
import path from 'node:path';
import {
  ApiError,
  appInvitations_create,
  appInvitations_list,
  appPermissions,
  appSecrets_get,
  appSecrets_rotate,
  apps_create,
  apps_createForOrg,
  apps_get,
  atLeast,
  type Client,
  crashGroups_await,
  distributionGroups_addUser,
  distributionGroups_create,
  distributionGroups_get,
  distributionGroups_update,
  MAX_AWAITED_GROUPS,
  organizations_createOrUpdate,
  organizations_get,
  orgInvitations_create,
  orgInvitations_listPending,
  releases_addDistributionGroup,
  releases_updateDetails,
  users_get,
  users_list,
  users_listForOrg,
} from '@mooring/contract';
import { openFile } from '../arguments/files.ts';
import { Failure } from '../framework/errors.ts';
import type { Output } from '../terminal/output.ts';
import { uploadRelease } from '../uploads/release-upload.ts';
import { uploadSymbols } from '../uploads/symbol-upload.ts';
import { type DeploymentFolder, importDeployment, importPush, readDeployments } from './codepush.ts';
import {
  type AppFolder,
  isCollaborators,
  type OrgFolder,
  readJsonFile,
  readOrg,
  type SavedErrorGroup,
  type SavedGroup,
  type SavedMember,
  type SavedRelease,
  type SavedUser,
  writeJson,
} from './folder.ts';
import { importDay, noteRetention, readArchive } from './history.ts';

/** An idempotent step. Its key is saved when it is completed. */
export interface Step {
  key: string;
  name: string;
  run: () => Promise<void>;
}

interface ImportTarget {
  call: Client;
  server: string;
  /** Owner of the imported apps; by default their original owner. */
  owner?: string | undefined;
  /** Add testers to their groups. The server invites unknown testers by email. */
  withTesters: boolean;
  /** Invite members to organizations and apps, with their original roles. */
  withMembers: boolean;
  out: Output;
  /** Adds a line to the final list of omitted items. */
  omit: (line: string) => void;
}

type Ref = { owner_name: string; app_name: string };

/** Creates a resource unless it exists. */
async function ensure(find: () => Promise<unknown>, create: () => Promise<unknown>): Promise<void> {
  try {
    await find();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    await create();
  }
}

/** A deterministic upload ID, so that an interrupted upload continues instead of creating a duplicate. */
const toUploadId = (...parts: string[]): string =>
  createHash('sha256')
    .update(parts.join('\n'))
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** True for packages that don't contain their version. */
const lacksVersion = (file: string): boolean => /[.](zip|msi|dmg|pkg)$/i.test(file);

async function importRelease({ call, server, out }: ImportTarget, params: Ref, release: SavedRelease, file: string) {
  const versionFields = { build_version: release.short_version, build_number: release.version };
  const upload_id = toUploadId(server, params.owner_name, params.app_name, String(release.id), release.fingerprint);
  const query = { file_name: path.basename(file), upload_id, ...(lacksVersion(file) ? versionFields : {}) };
  const package_ = await openFile(file, 'application/octet-stream');
  const id = await uploadRelease({ call, params, file: package_, query, out, isResumed: true });
  const releaseParams = { ...params, release_id: String(id) };
  const { release_notes = '', enabled, distribution_groups = [], destinations = [], uploaded_at, build } = release;
  const body = { release_notes, enabled, ...(uploaded_at ? { uploaded_at } : {}), ...(build ? { build } : {}) };
  await call(releases_updateDetails, { params: releaseParams, body });
  for (const { name } of distribution_groups) {
    if (!name) continue;
    const group = await call(distributionGroups_get, { params: { ...params, distribution_group_name: name } });
    const { mandatory_update = release.mandatory_update ?? false } =
      destinations.find((one) => one.name === name) ?? {};
    const body = { id: group.id, mandatory_update, notify_testers: false };
    await call(releases_addDistributionGroup, { params: releaseParams, body });
  }
}

/** An existing group keeps its visibility. */
async function importGroup({ call }: ImportTarget, params: Ref, group: SavedGroup): Promise<void> {
  const { name, display_name, is_public } = group;
  const at = { ...params, distribution_group_name: name };
  const shown = display_name && display_name !== name ? { display_name } : {};
  const publish = () => call(distributionGroups_update, { params: at, body: { is_public: true } });
  await ensure(
    () => call(distributionGroups_get, { params: at }),
    () => call(distributionGroups_create, { params, body: { name, ...shown } }).then(is_public ? publish : undefined),
  );
  if (is_public && isCollaborators(group)) await publish();
}

/** Restores the secret, so that installed apps need only the address of the new server. */
async function restoreSecret({ call, omit }: ImportTarget, params: Ref, app_secret: string): Promise<void> {
  const { app_secret: current } = await call(appSecrets_get, { params });
  if (current === app_secret.toLowerCase()) return;
  try {
    await call(appSecrets_rotate, { params, body: { app_secret, overlap_hours: 0 } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 409) throw error;
    omit(`the secret of ${params.owner_name}/${params.app_name}, which keeps its new secret: ${error.message}`);
  }
}

async function addTesters(
  { call, omit }: ImportTarget,
  params: Ref,
  { name, members = [] }: SavedGroup,
): Promise<void> {
  const user_emails = members.flatMap(({ email }) => email ?? []);
  if (user_emails.length === 0) return;
  const at = { ...params, distribution_group_name: name };
  for (const { user_email, status, message } of await call(distributionGroups_addUser, {
    params: at,
    body: { user_emails },
  })) {
    if (status >= 400 && status !== 409) omit(`${user_email} in the group ${name}: ${message ?? status}`);
  }
}

const sameAs = (email: string) => (other: { email: string }) => other.email.toLowerCase() === email.toLowerCase();

/** Current members and pending invitations stay unchanged. */
async function inviteMembers({ call }: ImportTarget, org_name: string, members: readonly SavedMember[]): Promise<void> {
  const params = { org_name };
  const here = [
    ...(await call(users_listForOrg, { params })),
    ...(await call(orgInvitations_listPending, { params, query: {} })),
  ];
  for (const { email, role } of members) {
    if (!here.some(sameAs(email))) await call(orgInvitations_create, { params, body: { user_email: email, role } });
  }
}

/** Invitations use roles. Testers are added with their groups. */
const roleByPermission = { manager: 'admin', developer: 'collaborator', viewer: 'member', tester: undefined } as const;

const getPermission = ({ permissions = [] }: Pick<SavedUser, 'permissions'>) =>
  appPermissions.findLast((permission) => permissions.includes(permission)) ?? 'tester';

/** Invites users of an app. A user with a lower permission from a team is invited as well. */
async function inviteUsers({ call }: ImportTarget, params: Ref, users: readonly SavedUser[]): Promise<void> {
  const here = [...(await call(users_list, { params })), ...(await call(appInvitations_list, { params, query: {} }))];
  for (const user of users) {
    const permission = getPermission(user);
    const role = roleByPermission[permission];
    const has = here.filter(sameAs(user.email)).some((one) => atLeast(getPermission(one), permission));
    if (role && !has) await call(appInvitations_create, { params, body: { user_email: user.email, role } });
  }
}

const MAX_TEXT_LENGTH = 4096;
const MAX_NOTE_LENGTH = 4000;

/** Restores states and notes of groups. A group without reports on this server gets them with its first report. */
async function restoreErrorGroups(
  { call }: ImportTarget,
  params: Ref,
  saved: readonly SavedErrorGroup[],
): Promise<void> {
  const groups = saved.map(({ appVersion, appBuild, state, ...group }) => ({
    appVersion,
    ...(appBuild ? { appBuild } : {}),
    exceptionType: group.exceptionType?.slice(0, MAX_TEXT_LENGTH) ?? '',
    exceptionClassName: group.exceptionClassName?.slice(0, MAX_TEXT_LENGTH) ?? '',
    exceptionMethod: group.exceptionMethod?.slice(0, MAX_TEXT_LENGTH) ?? '',
    exceptionMessage: group.exceptionMessage?.slice(0, MAX_TEXT_LENGTH) ?? '',
    // Some responses of App Center capitalize states.
    state: state.toLowerCase() as typeof state,
    annotation: group.annotation?.slice(0, MAX_NOTE_LENGTH) ?? '',
  }));
  for (let at = 0; at < groups.length; at += MAX_AWAITED_GROUPS) {
    await call(crashGroups_await, { params, body: { groups: groups.slice(at, at + MAX_AWAITED_GROUPS) } });
  }
}

interface Owner extends OrgFolder {
  name: string;
  isOrg: boolean;
}

/** Oldest release first, as labels must increase. */
function codePushSteps(
  { call, server, omit }: ImportTarget,
  params: Ref,
  { deployment, releases }: DeploymentFolder,
): Step[] {
  const app = `${params.owner_name}/${params.app_name}`;
  const { name } = deployment;
  return [
    {
      key: `deployment ${app} ${name}`,
      name: `the CodePush deployment ${name} of ${app}`,
      run: () => importDeployment(call, params, deployment, omit),
    },
    ...releases.flatMap(({ release, file }) => {
      const { label = '' } = release;
      if (!file) return [];
      const upload_id = toUploadId(server, app, name, label, release.package_hash ?? '');
      return [
        {
          key: `codepush ${app} ${name} ${label}`,
          name: `CodePush release ${label} of ${name} of ${app}`,
          run: () => importPush(call, { ...params, deployment: name, upload_id }, release, file, omit),
        },
      ];
    }),
  ];
}

const listOtherDestinations = (app: string, { id, destinations = [] }: SavedRelease): string[] =>
  destinations.flatMap(({ destination_type, name = '' }) =>
    destination_type === 'group' ? [] : `${destination_type} ${name} of release ${id} of ${app}: distribute it again`,
  );

/** Lists parts of the folder that an import does not create. */
export function listOmitted(
  apps: readonly AppFolder[],
  { withTesters, withMembers }: Pick<ImportTarget, 'withTesters' | 'withMembers'>,
): string[] {
  const lines = apps.flatMap(({ folder, app, groups, releases, symbols }) => {
    const named = `${app.owner.name}/${app.name}`;
    const testers = groups.filter((group) => group.members?.length && !isCollaborators(group));
    return [
      ...releases.flatMap(({ release, file }) =>
        file ? listOtherDestinations(named, release) : `release ${release.id} of ${named}: no package is in the folder`,
      ),
      ...readDeployments(folder).flatMap(({ deployment, releases: pushes }) =>
        pushes.flatMap(({ release, file }) =>
          file
            ? []
            : `CodePush release ${release.label} of ${deployment.name} of ${named}: no package is in the folder`,
        ),
      ),
      ...symbols.flatMap(({ symbols: { symbol_id }, file }) =>
        file ? [] : `symbols ${symbol_id} of ${named}: no file is in the folder`,
      ),
      ...(withTesters || testers.length === 0
        ? []
        : [`testers of ${named} in ${testers.map(({ name }) => name).join(', ')}: add --with-testers`]),
    ];
  });
  return withMembers ? lines : [...lines, 'members of organizations and apps: add --with-members'];
}

function planApp(
  target: ImportTarget,
  { folder, app, users, groups, errorGroups, releases, symbols }: AppFolder,
  { org, members, ...owner }: Owner,
): Step[] {
  const { call, withTesters, withMembers } = target;
  const days = readArchive(folder);
  /** Importing telemetry into its original app would count it twice, as the IDs of events and sessions differ. */
  const isOriginalApp = async () => (await call(apps_get, { params })).id === app.id;
  // Admins of the organization manage its apps without an invitation.
  const appUsers = users.filter(
    ({ email }) => !owner.isOrg || !members.filter(sameAs(email)).some(({ role }) => role === 'admin'),
  );
  const params: Ref = { owner_name: owner.name, app_name: app.name };
  const named = `${owner.name}/${app.name}`;
  const { name, display_name, description, os, platform, release_type } = app;
  const body = {
    name,
    display_name,
    os,
    platform,
    ...(description ? { description } : {}),
    ...(release_type ? { release_type } : {}),
  };
  const org_name = owner.name;
  return [
    ...(owner.isOrg
      ? [
          {
            key: `org ${org_name}`,
            name: `the organization ${org_name}`,
            run: () =>
              ensure(
                () => call(organizations_get, { params: { org_name } }),
                () =>
                  call(organizations_createOrUpdate, {
                    body: { name: org_name, display_name: org?.display_name ?? org_name },
                  }),
              ),
          },
          ...(withMembers && members.length > 0
            ? [
                {
                  key: `members ${org_name}`,
                  name: `${members.length} members of ${org_name}`,
                  run: () => inviteMembers(target, org_name, members),
                },
              ]
            : []),
        ]
      : []),
    {
      key: `app ${named}`,
      name: `the app ${named}`,
      run: () =>
        ensure(
          () => call(apps_get, { params }),
          () => (owner.isOrg ? call(apps_createForOrg, { params: { org_name }, body }) : call(apps_create, { body })),
        ),
    },
    ...(app.app_secret
      ? [
          {
            key: `secret ${named}`,
            name: `the secret of ${named}`,
            run: () => restoreSecret(target, params, app.app_secret),
          },
        ]
      : []),
    ...(withMembers && appUsers.length > 0
      ? [
          {
            key: `users ${named}`,
            name: `${appUsers.length} users of ${named}`,
            run: () => inviteUsers(target, params, appUsers),
          },
        ]
      : []),
    ...groups.flatMap((group) => [
      {
        key: `group ${named} ${group.name}`,
        name: `the group ${group.name} of ${named}`,
        run: () => importGroup(target, params, group),
      },
      ...(withTesters && group.members?.length && !isCollaborators(group)
        ? [
            {
              key: `testers ${named} ${group.name}`,
              name: `${group.members.length} testers of ${group.name} of ${named}`,
              run: () => addTesters(target, params, group),
            },
          ]
        : []),
    ]),
    ...releases.flatMap(({ release, file }) =>
      file
        ? [
            {
              key: `release ${named} ${release.id}`,
              name: `release ${release.id} of ${named}, ${release.short_version} (${release.version})`,
              run: () => importRelease(target, params, release, file),
            },
          ]
        : [],
    ),
    ...readDeployments(folder).flatMap((saved) => codePushSteps(target, params, saved)),
    ...symbols.flatMap(({ symbols: { symbol_id, type, version, build }, file }) =>
      file
        ? [
            {
              key: `symbols ${named} ${symbol_id}`,
              name: `symbols ${symbol_id} of ${named}`,
              run: async () => {
                const versionFields = version && build ? { version, build } : {};
                const { result, reason } = await uploadSymbols(call, params, { file, type, ids: [] }, versionFields);
                if (result === 'failed')
                  throw new Failure(`Can't import ${file}: ${reason ?? 'it contains no symbols.'}`);
              },
            },
          ]
        : [],
    ),
    ...(errorGroups.length > 0
      ? [
          {
            key: `errors ${named}`,
            name: `the states of ${errorGroups.length} crash and error groups of ${named}`,
            run: () => restoreErrorGroups(target, params, errorGroups),
          },
        ]
      : []),
    ...(days.length > 0
      ? [
          {
            key: `retention ${named}`,
            name: `the telemetry retention of ${named}`,
            run: async () => {
              if (await isOriginalApp())
                target.out.note(`Skipped the telemetry of ${named}: it is the exported app and has its telemetry.`);
              else await noteRetention(call, params, days, target.out);
            },
          },
        ]
      : []),
    // Last, so that reports can be symbolicated, and groups have their state with the first report.
    ...days.map((saved) => ({
      key: `logs ${named} ${saved.day}`,
      name: `telemetry of ${named} on ${saved.day} (${saved.files.length} files)`,
      run: async () => {
        if (!(await isOriginalApp())) await importDay(call, params, saved, target.out);
      },
    })),
  ];
}

/** Plans all steps without duplicates. Apps of users go to the caller, who can't create apps for other users. */
export async function planImport(target: ImportTarget, root: string, apps: readonly AppFolder[]): Promise<Step[]> {
  const me = await target.call(users_get);
  const others = <P extends { email: string }>(people: P[]): P[] => people.filter((one) => !sameAs(me.email)(one));
  const getOwner = ({ app: { owner } }: AppFolder): Owner => {
    const name = target.owner ?? (owner.type === 'org' ? owner.name : me.name);
    const { org, members }: OrgFolder =
      owner.type === 'org' ? readOrg(root, owner.name) : { org: undefined, members: [] };
    // The display name applies only if the organization keeps its name.
    return { name, isOrg: name !== me.name, org: org?.name === name ? org : undefined, members: others(members) };
  };
  const steps = apps.flatMap((app) => planApp(target, { ...app, users: others(app.users) }, getOwner(app)));
  return [...new Map(steps.map((step) => [step.key, step])).values()];
}

/** Journal of completed steps. There is one for each server, as a folder can be imported into several. */
const getJournalFile = (root: string, server: string): string =>
  path.join(root, `imported-to-${new URL(server).host.replaceAll(/[^\w.-]/g, '_')}.json`);

export const readCompletedSteps = (root: string, server: string): Set<string> =>
  new Set(readJsonFile<string[]>(getJournalFile(root, server)) ?? []);

/** Runs the pending steps. It saves each completed one, so that an import can be interrupted at any time. */
export async function runImport(root: string, server: string, steps: readonly Step[], out: Output): Promise<number> {
  const done = readCompletedSteps(root, server);
  const pending = steps.filter(({ key }) => !done.has(key));
  try {
    for (const [at, { key, name, run }] of pending.entries()) {
      out.progress.show(at / pending.length, name);
      await run();
      done.add(key);
      writeJson(getJournalFile(root, server), [...done]);
    }
  } finally {
    out.progress.end();
  }
  return pending.length;
}
