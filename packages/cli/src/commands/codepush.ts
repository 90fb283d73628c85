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
  type OutputOf,
} from '@mooring/contract';
import { command } from '../framework/command.ts';
import { wrongUsage } from '../framework/errors.ts';
import { operation } from '../framework/operation.ts';
import type { Column } from '../output.ts';
import { overlapOption, readOverlap } from '../overlap-hours.ts';
import { readApp } from '../targets.ts';
import { app } from './apps.ts';

type Release = OutputOf<typeof codePushDeploymentReleases_get>[number];
type Deployment = OutputOf<typeof codePushDeployments_list>[number];
type Explanation = OutputOf<typeof codePushDeployments_explain>;

const deployment = { summary: 'Name of the deployment, such as Staging' } as const;
const inDeployment = { app, deployment } as const;
const label = { value: 'LABEL', summary: 'Of the release, such as v3; the newest if absent' } as const;

const paramsOf = (args: { app: string; deployment: string }) => ({
  ...readApp(args.app),
  deployment_name: args.deployment,
});

const timeOf = ({ upload_time }: Release): string | undefined =>
  upload_time === undefined ? undefined : new Date(upload_time).toISOString();

const madeFrom = ({ release_method, original_label, original_deployment }: Release): string =>
  release_method === 'Promote'
    ? `${original_label} of ${original_deployment}`
    : release_method === 'Rollback'
      ? `back to ${original_label}`
      : '';

const releaseColumns: Column<Release>[] = [
  { header: 'LABEL', value: ({ label }) => label },
  { header: 'FOR', value: ({ target_binary_range }) => target_binary_range },
  { header: 'ROLLOUT', value: ({ rollout }) => `${rollout} %` },
  { header: 'MANDATORY', value: ({ is_mandatory }) => is_mandatory },
  { header: 'DISABLED', value: ({ is_disabled }) => is_disabled },
  { header: 'SIZE', value: ({ size }) => size },
  { header: 'RELEASED', value: timeOf, isTime: true },
  { header: 'BY', value: ({ released_by }) => released_by, forPeople: true },
  { header: 'FROM', value: madeFrom, forPeople: true },
  { header: 'DESCRIPTION', value: ({ description }) => description, forPeople: true },
];

const deploymentColumns: Column<Deployment>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'KEY', value: ({ key }) => key },
  { header: 'NEWEST', value: ({ latest_release }) => latest_release?.label },
  { header: 'HALT AT', value: ({ halt_percent }) => halt_percent && `${halt_percent} %`, forPeople: true },
  { header: 'FOR', value: ({ latest_release }) => latest_release?.target_binary_range, forPeople: true },
  {
    header: 'ROLLOUT',
    value: ({ latest_release }) => latest_release && `${latest_release.rollout} %`,
    forPeople: true,
  },
];

const keyColumns: Column<OutputOf<typeof codePushDeploymentKeys_get>>[] = [
  { header: 'KEY', value: ({ key }) => key },
  {
    header: 'FORMER',
    value: ({ former }) => former.map(({ key, ends_at }) => `${key} until ${ends_at}`).join(', '),
  },
];

const reasons: Record<Explanation['reason'], string> = {
  update: 'gets an update',
  no_releases: 'nothing was released here',
  all_disabled: 'nothing is out for everybody',
  binary_too_new: 'no release is for a binary as new as this',
  binary_too_old: 'what is out is for a newer binary',
  up_to_date: 'has the newest already',
};

const explanationColumns: Column<Explanation>[] = [
  { header: 'ANSWER', value: ({ reason }) => reasons[reason] },
  { header: 'LABEL', value: ({ update_info }) => update_info.label },
  { header: 'MANDATORY', value: ({ update_info }) => update_info.is_mandatory },
  { header: 'BYTES', value: ({ update_info }) => update_info.package_size },
  { header: 'DIFF', value: ({ is_diff }) => is_diff },
  {
    header: 'ROLLOUT',
    value: ({ rollout }) =>
      rollout &&
      `${rollout.label} goes to ${rollout.percent} %; this device stands at ${rollout.place ?? '?'}, so it is ${rollout.is_included ? 'in' : 'out'}`,
  },
];

/** What is said of a release. */
const releaseOptions = {
  description: { value: 'TEXT', summary: 'What is new' },
  mandatory: { value: 'yes|no', summary: 'Devices must install it', choices: ['yes', 'no'] },
  disabled: { value: 'yes|no', summary: 'Devices do not get it', choices: ['yes', 'no'] },
  rollout: { value: 'PERCENT', summary: 'To so many of a hundred devices, 1 to 100' },
} as const;

const isYes = (text: string | undefined): boolean | undefined => (text === undefined ? undefined : text === 'yes');

function readPercent(name: string, text: string): number {
  const percent = Number(text);
  if (!Number.isInteger(percent) || percent < 1 || percent > 100)
    throw wrongUsage(`${name} is a whole number from 1 to 100, not "${text}".`);
  return percent;
}

export const readRollout = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : readPercent('--rollout', text);

const readHaltPercent = (text: string): number | null =>
  text === 'never' ? null : readPercent('The percentage', text);

function readDays(text: string): number {
  const days = Number(text);
  if (!Number.isInteger(days) || days < 1) throw wrongUsage(`--days is a whole number from 1 on, not "${text}".`);
  return days;
}

interface ReleaseOptions {
  description: string | undefined;
  mandatory: string | undefined;
  disabled: string | undefined;
  rollout: string | undefined;
}

const bodyOf = ({ description, mandatory, disabled, rollout }: ReleaseOptions) => ({
  description,
  is_mandatory: isYes(mandatory),
  is_disabled: isYes(disabled),
  rollout: readRollout(rollout),
});

const range = { value: 'RANGE', summary: 'Versions of the binary, such as 1.2.0, 1.2.x or *' } as const;

export const codepushCommands = [
  operation({
    name: 'codepush deployment list',
    endpoint: codePushDeployments_list,
    summary: 'Lists the deployments of an app, with their keys',
    arguments: { app },
    input: ({ args }) => ({ params: readApp(args.app) }),
    columns: deploymentColumns,
  }),
  operation({
    name: 'codepush deployment add',
    endpoint: codePushDeployments_create,
    summary: 'Creates a deployment and prints its key',
    arguments: inDeployment,
    options: { key: { value: 'KEY', summary: 'The key that it had on another server; a new one if absent' } },
    input: ({ args, options }) => ({
      params: readApp(args.app),
      body: { name: args.deployment, ...(options.key === undefined ? {} : { key: options.key }) },
    }),
    line: ({ key = '' }) => key,
  }),
  operation({
    name: 'codepush deployment rename',
    endpoint: codePushDeployments_update,
    summary: 'Renames a deployment; its key stays',
    arguments: { ...inDeployment, name: { summary: 'New name' } },
    input: ({ args }) => ({ params: paramsOf(args), body: { name: args.name } }),
    done: ({ args }) => `${args.deployment} is called ${args.name} now.`,
  }),
  operation({
    name: 'codepush deployment halt',
    endpoint: codePushDeployments_update,
    summary: 'Says when rollouts of a deployment are halted by themselves',
    arguments: {
      ...inDeployment,
      percent: { summary: 'Of a hundred devices that reported, so many that went back; or never' },
    },
    input: ({ args }) => ({ params: paramsOf(args), body: { halt_percent: readHaltPercent(args.percent) } }),
    done: ({ args }) =>
      args.percent === 'never'
        ? `Rollouts of ${args.deployment} are not halted by themselves.`
        : `Rollouts of ${args.deployment} are halted when ${args.percent} % of devices went back.`,
  }),
  operation({
    name: 'codepush key show',
    endpoint: codePushDeploymentKeys_get,
    summary: 'Shows the key of a deployment, and former ones that still count',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
    columns: keyColumns,
  }),
  operation({
    name: 'codepush key rotate',
    endpoint: codePushDeploymentKeys_rotate,
    summary: 'Gives a deployment a new key; devices go on with the old one for a while',
    arguments: inDeployment,
    options: {
      hours: overlapOption,
      key: { value: 'KEY', summary: 'The new key; one is made if absent' },
    },
    input: ({ args, options: { hours, key } }) => ({
      params: paramsOf(args),
      body: { overlap_hours: readOverlap(hours), key },
    }),
    columns: keyColumns,
    confirm: ({ args }) => `Give ${args.deployment} a new key? What is installed goes on to ask by the old one.`,
  }),
  operation({
    name: 'codepush key end',
    endpoint: codePushDeploymentKeys_endFormer,
    summary: 'Lets no former key of a deployment count any more',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
    confirm: ({ args }) =>
      `End all former keys of ${args.deployment}? Devices that ask by them get no updates any more.`,
    done: ({ args }) => `Only the newest key of ${args.deployment} counts.`,
  }),
  operation({
    name: 'codepush deployment remove',
    endpoint: codePushDeployments_delete,
    summary: 'Deletes a deployment with its releases and metrics',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
    confirm: ({ args }) => `Delete ${args.deployment}? Devices with its key get no updates any more.`,
    done: ({ args }) => `Deleted ${args.deployment}.`,
  }),
  operation({
    name: 'codepush deployment clear',
    endpoint: codePushDeploymentReleases_delete,
    summary: 'Forgets all releases of a deployment, and its metrics',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
    confirm: ({ args }) => `Forget all releases of ${args.deployment}?`,
    done: ({ args }) => `${args.deployment} has no releases.`,
  }),
  operation({
    name: 'codepush history',
    endpoint: codePushDeploymentReleases_get,
    summary: 'Lists the releases of a deployment, oldest first',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
    columns: releaseColumns,
  }),
  operation({
    name: 'codepush metrics',
    endpoint: codePushDeploymentMetrics_get,
    summary: 'Counts devices by release, and by version of the binary',
    arguments: inDeployment,
    input: ({ args }) => ({ params: paramsOf(args) }),
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
    summary: 'Counts what devices reported in each hour or day, by release',
    arguments: inDeployment,
    options: {
      interval: { value: 'hour|day', summary: 'What is counted together; days if absent', choices: ['hour', 'day'] },
      days: { value: 'DAYS', summary: 'How many days; 7 if absent' },
    },
    async run({ args, options, out, connect }) {
      const days = options.days === undefined ? {} : { days: readDays(options.days) };
      const query = { interval: options.interval === 'hour' ? 'PT1H' : 'P1D', ...days } as const;
      const answer = await connect().call(codePushDeploymentMetrics_listOverTime, { params: paramsOf(args), query });
      const rows = answer.values.flatMap(({ start, labels }) => labels.map((counts) => ({ start, ...counts })));
      out.table(answer, rows, [
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
    summary: 'Releases a package: an archive of the bundle and its assets, or a bundle alone',
    arguments: { ...inDeployment, file: { summary: 'The package' } },
    options: { 'target-binary': { ...range, required: true }, ...releaseOptions },
    async run({ args, options, out, connect }) {
      const params = paramsOf(args);
      const { description, is_mandatory, is_disabled, rollout } = bodyOf(options);
      const file = await openAsBlob(args.file).catch((error: Error) => {
        throw wrongUsage(`The package cannot be read: ${error.message}`);
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
    summary: 'Releases in one deployment what is out in another',
    arguments: { ...inDeployment, to: { summary: 'The other deployment, such as Production' } },
    options: { label, 'target-binary': range, ...releaseOptions },
    input: ({ args, options }) => ({
      params: { ...paramsOf(args), promote_deployment_name: args.to },
      body: { ...bodyOf(options), label: options.label, target_binary_range: options['target-binary'] },
    }),
    line: ({ label = '' }) => label,
  }),
  operation({
    name: 'codepush rollback',
    endpoint: codePushDeploymentRelease_rollback,
    summary: 'Releases once more what was out before, to everybody',
    arguments: inDeployment,
    options: { label: { value: 'LABEL', summary: 'The release to go back to; the one before the newest if absent' } },
    input: ({ args, options }) => ({ params: paramsOf(args), body: { label: options.label } }),
    confirm: ({ args, options }) => `Roll ${args.deployment} back to ${options.label ?? 'the release before'}?`,
    line: ({ label = '' }) => label,
  }),
  command({
    name: 'codepush patch',
    summary: 'Changes what is said of a release, or gives it to more devices',
    arguments: inDeployment,
    options: { label, 'target-binary': range, ...releaseOptions },
    async run({ args, options, out, connect }) {
      const params = paramsOf(args);
      const { call } = connect();
      const newest = async () => (await call(codePushDeploymentReleases_get, { params })).at(-1)?.label;
      const release_label = options.label ?? (await newest());
      if (release_label === undefined) throw wrongUsage(`${args.deployment} has no releases.`);
      const body = { ...bodyOf(options), target_binary_range: options['target-binary'] };
      const changed = await call(deploymentReleases_update, { params: { ...params, release_label }, body });
      if (changed) out.record(changed, changed, releaseColumns);
      else out.note(`${release_label} is like that already.`);
    },
  }),
  operation({
    name: 'codepush explain',
    endpoint: codePushDeployments_explain,
    summary: 'Tells what a device would get, and why',
    arguments: { ...inDeployment, version: { summary: 'Of the binary, such as 1.2.0' } },
    options: {
      label: { value: 'LABEL', summary: 'Of the update that it runs' },
      device: { value: 'ID', summary: 'Of the device, for rollouts' },
    },
    input: ({ args, options }) => ({
      params: paramsOf(args),
      query: {
        app_version: args.version,
        ...(options.label === undefined ? {} : { label: options.label }),
        ...(options.device === undefined ? {} : { client_unique_id: options.device }),
      },
    }),
    columns: explanationColumns,
  }),
];
