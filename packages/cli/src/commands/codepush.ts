import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import {
  codePushDeploymentKeys_endFormer,
  codePushDeploymentKeys_get,
  codePushDeploymentKeys_rotate,
  codePushDeploymentMetrics_get,
  codePushDeploymentMetrics_listOverTime,
  codePushDeploymentRelease_rollback,
  codePushDeploymentReleases_create,
  codePushDeploymentReleases_delete,
  codePushDeploymentReleases_get,
  codePushDeployments_create,
  codePushDeployments_delete,
  codePushDeployments_explain,
  codePushDeployments_list,
  codePushDeployments_promote,
  codePushDeployments_update,
  codePushDeploymentUpload_put,
  deploymentReleases_update,
  type EndpointOutput,
} from '@mooring/contract';
import { overlapOption, readOverlap } from '../arguments/overlap-hours.ts';
import { app, readApp } from '../arguments/targets.ts';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../terminal/output.ts';

type Release = EndpointOutput<typeof codePushDeploymentReleases_get>[number];
type Deployment = EndpointOutput<typeof codePushDeployments_list>[number];
type Explanation = EndpointOutput<typeof codePushDeployments_explain>;

const deployment = { summary: 'Name of the deployment, such as Staging' } as const;
const inDeployment = { app, deployment } as const;
const label = { value: 'LABEL', summary: 'Label of the release, such as v3 (default: the newest)' } as const;

const toParams = (args: { app: string; deployment: string }) => ({
  ...readApp(args.app),
  deployment_name: args.deployment,
});

const getUploadTime = ({ upload_time }: Release): string | undefined =>
  upload_time === undefined ? undefined : new Date(upload_time).toISOString();

const formatOrigin = ({ release_method, original_label, original_deployment }: Release): string =>
  release_method === 'Promote'
    ? `${original_label} of ${original_deployment}`
    : release_method === 'Rollback'
      ? `rollback to ${original_label}`
      : '';

const releaseColumns: Column<Release>[] = [
  { header: 'LABEL', value: ({ label }) => label },
  { header: 'TARGET VERSIONS', value: ({ target_binary_range }) => target_binary_range },
  { header: 'ROLLOUT', value: ({ rollout }) => `${rollout}%` },
  { header: 'MANDATORY', value: ({ is_mandatory }) => is_mandatory },
  { header: 'DISABLED', value: ({ is_disabled }) => is_disabled },
  { header: 'SIZE', value: ({ size }) => size },
  { header: 'RELEASED', value: getUploadTime, isTime: true },
  { header: 'RELEASED BY', value: ({ released_by }) => released_by, forPeople: true },
  { header: 'ORIGIN', value: formatOrigin, forPeople: true },
  { header: 'DESCRIPTION', value: ({ description }) => description, forPeople: true },
];

const deploymentColumns: Column<Deployment>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'KEY', value: ({ key }) => key },
  { header: 'NEWEST', value: ({ latest_release }) => latest_release?.label },
  { header: 'HALT AT', value: ({ halt_percent }) => halt_percent && `${halt_percent}%`, forPeople: true },
  { header: 'TARGET VERSIONS', value: ({ latest_release }) => latest_release?.target_binary_range, forPeople: true },
  {
    header: 'ROLLOUT',
    value: ({ latest_release }) => latest_release && `${latest_release.rollout}%`,
    forPeople: true,
  },
];

const keyColumns: Column<EndpointOutput<typeof codePushDeploymentKeys_get>>[] = [
  { header: 'KEY', value: ({ key }) => key },
  {
    header: 'PREVIOUS',
    value: ({ former }) => former.map(({ key, ends_at }) => `${key} until ${ends_at}`).join(', '),
  },
];

const reasons: Record<Explanation['reason'], string> = {
  update: 'gets an update',
  no_releases: 'no releases in this deployment',
  all_disabled: 'all releases are disabled',
  binary_too_new: 'no release supports this newer app version',
  binary_too_old: 'releases require a newer app version',
  up_to_date: 'already up to date',
};

const explanationColumns: Column<Explanation>[] = [
  { header: 'RESULT', value: ({ reason }) => reasons[reason] },
  { header: 'LABEL', value: ({ update_info }) => update_info.label },
  { header: 'MANDATORY', value: ({ update_info }) => update_info.is_mandatory },
  { header: 'BYTES', value: ({ update_info }) => update_info.package_size },
  { header: 'DIFF', value: ({ is_diff }) => is_diff },
  {
    header: 'ROLLOUT',
    value: ({ rollout }) =>
      rollout &&
      `${rollout.label} is rolled out to ${rollout.percent}%; the device is at position ${rollout.place ?? '?'}, so it is ${rollout.is_included ? 'included' : 'excluded'}`,
  },
];

/** Options that describe a release. */
const releaseOptions = {
  description: { value: 'TEXT', summary: 'Release notes' },
  mandatory: { value: 'yes|no', summary: 'Whether devices must install the release', choices: ['yes', 'no'] },
  disabled: { value: 'yes|no', summary: 'Whether the release is withheld from devices', choices: ['yes', 'no'] },
  rollout: { value: 'PERCENT', summary: 'Rollout percentage (1-100)' },
} as const;

const isYes = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === 'yes');

function readPercent(name: string, text: string): number {
  const percent = Number(text);
  if (!Number.isInteger(percent) || percent < 1 || percent > 100)
    throw wrongUsage(`${name} must be a whole number from 1 to 100, not "${text}".`);
  return percent;
}

export const readRollout = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readPercent('--rollout', text);

const readHaltPercent = (text: string): number | null => (text === 'never' ? null : readPercent('<percent>', text));

function readDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw wrongUsage(`--days must be a positive whole number, not "${text}".`);
  return days;
}

interface ReleaseOptions {
  description: string | undefined;
  mandatory: string | undefined;
  disabled: string | undefined;
  rollout: string | undefined;
}

const toBody = ({ description, mandatory, disabled, rollout }: ReleaseOptions) => ({
  description,
  is_mandatory: isYes(mandatory),
  is_disabled: isYes(disabled),
  rollout: readRollout(rollout),
});

const range = { value: 'RANGE', summary: 'App versions that the release supports, such as 1.2.0, 1.2.x or *' } as const;

export const codepushCommands = [
  operation({
    name: 'codepush deployment list',
    endpoint: codePushDeployments_list,
    summary: 'List the deployments of an app, with their keys',
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: deploymentColumns,
  }),
  operation({
    name: 'codepush deployment add',
    endpoint: codePushDeployments_create,
    summary: 'Create a deployment and print its key',
    arguments: inDeployment,
    options: { key: { value: 'KEY', summary: 'Deployment key from another server (default: a new key)' } },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { name: args.deployment, ...(options.key === undefined ? {} : { key: options.key }) },
    }),
    line: ({ key = '' }) => key,
  }),
  operation({
    name: 'codepush deployment rename',
    endpoint: codePushDeployments_update,
    summary: 'Rename a deployment, but keep its key',
    arguments: { ...inDeployment, name: { summary: 'New name' } },
    input: ({ args }) => ({ params: toParams(args), body: { name: args.name } }),
    done: ({ args }) => `Renamed ${args.deployment} to ${args.name}.`,
  }),
  operation({
    name: 'codepush deployment halt',
    endpoint: codePushDeployments_update,
    summary: 'Set the rollback percentage that automatically halts rollouts of a deployment',
    arguments: {
      ...inDeployment,
      percent: { summary: 'Percentage of devices that rolled back (1-100), or "never"' },
    },
    input: ({ args }) => ({ params: toParams(args), body: { halt_percent: readHaltPercent(args.percent) } }),
    done: ({ args }) =>
      args.percent === 'never'
        ? `Turned automatic halts of ${args.deployment} off.`
        : `Rollouts of ${args.deployment} now halt when ${args.percent}% of devices have rolled back.`,
  }),
  operation({
    name: 'codepush key show',
    endpoint: codePushDeploymentKeys_get,
    summary: 'Show the key of a deployment, and previous keys that are still valid',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    columns: keyColumns,
  }),
  operation({
    name: 'codepush key rotate',
    endpoint: codePushDeploymentKeys_rotate,
    summary: 'Replace the key of a deployment; the previous key stays valid for a while',
    arguments: inDeployment,
    options: {
      hours: overlapOption,
      key: { value: 'KEY', summary: 'New key (default: a generated one)' },
    },
    input: ({ args, options: { hours, key } }) => ({
      params: toParams(args),
      body: { overlap_hours: readOverlap(hours), key },
    }),
    columns: keyColumns,
    confirm: ({ args }) =>
      `Replace the key of ${args.deployment}? Installed apps use the previous key until it expires.`,
  }),
  operation({
    name: 'codepush key end',
    endpoint: codePushDeploymentKeys_endFormer,
    summary: 'Revoke all previous keys of a deployment',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    confirm: ({ args }) => `Revoke all previous keys of ${args.deployment}? Devices that use them will get no updates.`,
    done: ({ args }) => `Revoked all previous keys of ${args.deployment}.`,
  }),
  operation({
    name: 'codepush deployment remove',
    endpoint: codePushDeployments_delete,
    summary: 'Delete a deployment with its releases and metrics',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    confirm: ({ args }) => `Delete the deployment ${args.deployment}? Devices that use its key will get no updates.`,
    done: ({ args }) => `Deleted deployment ${args.deployment}.`,
  }),
  operation({
    name: 'codepush deployment clear',
    endpoint: codePushDeploymentReleases_delete,
    summary: 'Delete all releases and metrics of a deployment',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    confirm: ({ args }) => `Delete all releases and metrics of ${args.deployment}?`,
    done: ({ args }) => `Deleted all releases of ${args.deployment}.`,
  }),
  operation({
    name: 'codepush history',
    endpoint: codePushDeploymentReleases_get,
    summary: 'List the releases of a deployment, oldest first',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    columns: releaseColumns,
  }),
  operation({
    name: 'codepush metrics',
    endpoint: codePushDeploymentMetrics_get,
    summary: 'Count devices by release and by app version',
    arguments: inDeployment,
    input: ({ args }) => ({ params: toParams(args) }),
    columns: [
      { header: 'LABEL', value: ({ label }) => label },
      { header: 'ACTIVE', value: ({ active }) => active },
      { header: 'INSTALLED', value: ({ installed }) => installed },
      { header: 'FAILED', value: ({ failed }) => failed },
      { header: 'DOWNLOADED', value: ({ downloaded }) => downloaded },
      {
        header: 'PENDING',
        value: ({ downloaded, installed = 0, failed = 0 }) =>
          downloaded === undefined ? undefined : Math.max(0, downloaded - installed - failed),
      },
    ],
  }),
  command({
    name: 'codepush curve',
    summary: 'Count installs, failures and downloads by release, per hour or day',
    arguments: inDeployment,
    options: {
      interval: { value: 'hour|day', summary: 'Interval (default day)', choices: ['hour', 'day'] },
      days: { value: 'DAYS', summary: 'Number of days (default 7)' },
    },
    async run({ args, options, out, connect }) {
      const days = options.days === undefined ? {} : { days: readDays(options.days) };
      const query = { interval: options.interval === 'hour' ? 'PT1H' : 'P1D', ...days } as const;
      const metrics = await connect().call(codePushDeploymentMetrics_listOverTime, { params: toParams(args), query });
      const rows = metrics.values.flatMap(({ start, labels }) => labels.map((counts) => ({ start, ...counts })));
      out.table(metrics, rows, [
        { header: 'START', value: ({ start }) => start },
        { header: 'LABEL', value: ({ label }) => label },
        { header: 'ACTIVE CHANGE', value: ({ active_change }) => active_change },
        { header: 'INSTALLED', value: ({ installed }) => installed },
        { header: 'FAILED', value: ({ failed }) => failed },
        { header: 'DOWNLOADED', value: ({ downloaded }) => downloaded },
      ]);
    },
  }),
  command({
    name: 'codepush release',
    summary: 'Release a package: a ZIP of the bundle and its assets, or a single bundle',
    arguments: { ...inDeployment, file: { summary: 'Path of the package' } },
    options: { 'target-binary': { ...range, required: true }, ...releaseOptions },
    async run({ args, options, out, connect }) {
      const params = toParams(args);
      const { description, is_mandatory, is_disabled, rollout } = toBody(options);
      const file = await openAsBlob(args.file).catch((error: Error) => {
        throw wrongUsage(`Can't read the package: ${error.message}`);
      });
      const { call } = connect();
      const id = randomUUID();
      await call(codePushDeploymentUpload_put, { params: { ...params, upload_id: id }, headers: {}, file });
      const made = await call(codePushDeploymentReleases_create, {
        params,
        body: {
          release_upload: { id },
          target_binary_version: options['target-binary'],
          description,
          mandatory: is_mandatory,
          disabled: is_disabled,
          rollout,
        },
      });
      out.value(made, made.label ?? '');
    },
  }),
  operation({
    name: 'codepush promote',
    endpoint: codePushDeployments_promote,
    summary: 'Promote a release from one deployment to another',
    arguments: { ...inDeployment, to: { summary: 'Target deployment, such as Production' } },
    options: { label, 'target-binary': range, ...releaseOptions },
    input: ({ args, options }) => ({
      params: { ...toParams(args), promote_deployment_name: args.to },
      body: { ...toBody(options), label: options.label, target_binary_range: options['target-binary'] },
    }),
    line: ({ label = '' }) => label,
  }),
  operation({
    name: 'codepush rollback',
    endpoint: codePushDeploymentRelease_rollback,
    summary: 'Roll back to an earlier release, for all devices',
    arguments: inDeployment,
    options: { label: { value: 'LABEL', summary: 'Release to roll back to (default: the one before the newest)' } },
    input: ({ args, options }) => ({ params: toParams(args), body: { label: options.label } }),
    confirm: ({ args, options }) => `Roll ${args.deployment} back to ${options.label ?? 'the previous release'}?`,
    line: ({ label = '' }) => label,
  }),
  command({
    name: 'codepush patch',
    summary: 'Change a release, or roll it out to more devices',
    arguments: inDeployment,
    options: { label, 'target-binary': range, ...releaseOptions },
    async run({ args, options, out, connect }) {
      const params = toParams(args);
      const { call } = connect();
      const newest = async () => (await call(codePushDeploymentReleases_get, { params })).at(-1)?.label;
      const release_label = options.label ?? (await newest());
      if (release_label === undefined) throw wrongUsage(`Nothing to change: ${args.deployment} has no releases.`);
      const body = { ...toBody(options), target_binary_range: options['target-binary'] };
      const changed = await call(deploymentReleases_update, { params: { ...params, release_label }, body });
      if (changed) out.record(changed, changed, releaseColumns);
      else out.note(`No changes: ${release_label} already has these values.`);
    },
  }),
  operation({
    name: 'codepush explain',
    endpoint: codePushDeployments_explain,
    summary: 'Explain which update a device would get',
    arguments: { ...inDeployment, version: { summary: 'App version, such as 1.2.0' } },
    options: {
      label: { value: 'LABEL', summary: 'Label of the installed CodePush release' },
      device: { value: 'ID', summary: 'Device ID, which decides about rollouts' },
    },
    input: ({ args, options }) => ({
      params: toParams(args),
      query: {
        app_version: args.version,
        ...(options.label === undefined ? {} : { label: options.label }),
        ...(options.device === undefined ? {} : { client_unique_id: options.device }),
      },
    }),
    columns: explanationColumns,
  }),
];
