import { apps_get } from '../apps/apps.contract.ts';
import { type Fixtures, putId } from '../fixtures/fixtures.ts';
import { sampleApk, toBlob } from '../releases/sample-packages.ts';
import {
  runnerJobs_beat,
  runnerJobs_file,
  runnerJobs_finish,
  runnerJobs_log,
  runnerJobs_take,
  runners_declare,
} from '../runners/runner-jobs.contract.ts';
import {
  runners_inviteForApp,
  runners_inviteForOrg,
  runners_inviteForServer,
  runners_register,
  runners_removeFromApp,
  runners_removeFromOrg,
  runners_removeFromServer,
} from '../runners/runners.contract.ts';
import { runnersExamples } from '../runners/runners.examples.ts';
import { branchConfigurations_create } from './branch-configurations.contract.ts';
import { buildSettings_update } from './build-settings.contract.ts';
import { builds_create, builds_getBadge, builds_listByBranch } from './builds.contract.ts';
import { buildsExamples } from './builds.examples.ts';
import { pushes_receive, pushHooks_create } from './pushes.contract.ts';
import { repositoryConfigurations_createOrUpdate } from './repositories.contract.ts';

const { params: main, body: commit } = buildsExamples.builds_create;
const app = buildsExamples.builds_listBranches.params;
const org = runnersExamples.runners_inviteForOrg.params;

async function addRunners(fixtures: Fixtures): Promise<string> {
  const { ada } = fixtures;
  const register = async (code: string, name: string) => ada.call(runners_register, { body: { code, name } });
  const ofOrg = await register((await ada.call(runners_inviteForOrg, { params: org, body: {} })).code, 'harbour-mac');
  const shared = await register((await ada.call(runners_inviteForServer, { body: {} })).code, 'shared');
  const own = await register((await ada.call(runners_inviteForApp, { params: app, body: {} })).code, 'harbour-linux');
  putId(fixtures, runners_removeFromOrg, 'runner_id', ofOrg.id);
  putId(fixtures, runners_removeFromServer, 'runner_id', shared.id);
  putId(fixtures, runners_removeFromApp, 'runner_id', own.id);
  putId(fixtures, runners_declare, 'x-runner-token', own.token);
  putId(fixtures, runners_register, 'code', (await ada.call(runners_inviteForApp, { params: app, body: {} })).code);
  const headers = { 'x-runner-token': own.token };
  const declared = runnersExamples.runners_declare.body;
  await ada.call(runners_declare, {
    headers,
    body: {
      ...declared,
      labels: [...declared.labels],
      tools: [...declared.tools],
      devices: declared.devices.map((device) => ({ ...device, frameworks: [...device.frameworks] })),
    },
  });
  return own.token;
}

/** Three builds of compass: finished, running and queued. */
export async function addBuilds(fixtures: Fixtures): Promise<void> {
  const { ada, ids } = fixtures;
  const { repo_url, username, password } = buildsExamples.repositoryConfigurations_createOrUpdate.body;
  // A URL that fails immediately on every machine.
  ids.set(repo_url, 'https://localhost/ada/compass.git');
  const body = { repo_url: 'https://localhost/ada/compass.git', username, password };
  await ada.call(repositoryConfigurations_createOrUpdate, { params: app, body });
  const hook = await ada.call(pushHooks_create, { params: app, body: {} });
  putId(fixtures, pushes_receive, 'hook_id', hook.url.split('/').at(-1) ?? '');
  putId(fixtures, pushes_receive, 'x-mooring-token', hook.secret);
  const { toolsets, environmentVariables, ...settings } = buildsExamples.branchConfigurations_update.body;
  await ada.call(branchConfigurations_create, {
    params: main,
    body: {
      ...settings,
      toolsets: { android: { ...toolsets.android } },
      environmentVariables: [...environmentVariables],
    },
  });
  const { maxConcurrentBuilds, environmentVariables: ofAll } = buildsExamples.buildSettings_update.body;
  await ada.call(buildSettings_update, {
    params: app,
    body: { maxConcurrentBuilds, environmentVariables: [...ofAll] },
  });
  const badged = { params: { ...app, branch: 'badged' }, body: { badgeIsEnabled: true } };
  await ada.call(branchConfigurations_create, badged);
  putId(fixtures, builds_getBadge, 'app_id', (await ada.call(apps_get, { params: app })).id);
  if ((await ada.call(builds_listByBranch, { params: main })).length > 0) return;
  const token = await addRunners(fixtures);
  const take = async () => {
    await ada.call(builds_create, { params: main, body: commit });
    const job = await ada.call(runnerJobs_take, { headers: { 'x-runner-token': token }, query: { wait: 0 }, body: {} });
    if (!job) throw new Error('The build found no runner.');
    return { params: { job_id: job.id }, headers: { 'x-job-token': job.token } };
  };
  const done = await take();
  await ada.call(runnerJobs_log, {
    ...done,
    query: { offset: 0 },
    body: new TextEncoder().encode('== Sources\nclone of main\n'),
  });
  await ada.call(runnerJobs_file, {
    ...done,
    params: { ...done.params, upload_id: runnersExamples.runnerJobs_file.params.upload_id.replace(/c1$/, 'c0') },
    query: { name: 'compass.apk', kind: 'build' },
    file: toBlob(sampleApk),
  });
  const found = buildsExamples.builds_listToolsetProjects.response;
  await ada.call(runnerJobs_finish, { ...done, body: { result: 'succeeded', found } });
  const running = await take();
  putId(fixtures, runnerJobs_beat, 'job_id', running.params.job_id);
  putId(fixtures, runnerJobs_beat, 'x-job-token', running.headers['x-job-token']);
  await ada.call(builds_create, { params: main, body: commit });
}
