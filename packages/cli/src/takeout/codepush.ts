import path from 'node:path';
import {
  ApiError,
  type Client,
  codePushDeploymentReleases_create,
  codePushDeploymentReleases_get,
  codePushDeployments_create,
  codePushDeployments_list,
  codePushDeployments_update,
  codePushDeploymentUpload_put,
  type EndpointOutput,
} from '@mooring/contract';
import { openFile } from '../arguments/files.ts';
import { fetchOnce } from './fetch-once.ts';
import { fileBeside, foldersIn, readJsonFile, toFileName, writeJson } from './folder.ts';

type Ref = { owner_name: string; app_name: string };

/** Layout: codepush/<deployment>/deployment.json, and releases/<label>/release.json next to its package. */
export type SavedDeployment = EndpointOutput<typeof codePushDeployments_list>[number];
export type SavedPush = EndpointOutput<typeof codePushDeploymentReleases_get>[number];

export interface DeploymentFolder {
  deployment: SavedDeployment;
  /** Oldest first. */
  releases: { release: SavedPush; file: string | undefined }[];
}

const deploymentFolder = (app: string, name: string): string => path.join(app, 'codepush', toFileName(name));
const toLabelNumber = ({ label = '' }: SavedPush): number => Number(label.replace(/^v/, '')) || 0;

/** Writes deployments with their keys, releases and packages. Returns the number of releases. */
export async function exportDeployments(
  call: Client,
  params: Ref,
  app: string,
  showProgress: (name: string) => void,
): Promise<number> {
  let count = 0;
  for (const { latest_release: _, ...deployment } of await call(codePushDeployments_list, { params })) {
    const folder = deploymentFolder(app, deployment.name);
    const at = { params: { ...params, deployment_name: deployment.name } };
    for (const release of await call(codePushDeploymentReleases_get, at)) {
      const { label = '', blob_url } = release;
      showProgress(`CodePush ${deployment.name} ${label}`);
      const into = path.join(folder, 'releases', toFileName(label));
      if (blob_url) await fetchOnce(path.join(into, 'package'), async () => blob_url);
      writeJson(path.join(into, 'release.json'), release);
      count += 1;
    }
    writeJson(path.join(folder, 'deployment.json'), deployment);
  }
  return count;
}

export const readDeployments = (app: string): DeploymentFolder[] =>
  foldersIn(path.join(app, 'codepush')).flatMap((folder) => {
    const deployment = readJsonFile<SavedDeployment>(path.join(folder, 'deployment.json'));
    if (!deployment) return [];
    const releases = foldersIn(path.join(folder, 'releases')).flatMap((each) => {
      const release = readJsonFile<SavedPush>(path.join(each, 'release.json'));
      return release ? [{ release, file: fileBeside(each, 'release.json') }] : [];
    });
    return [
      {
        deployment,
        releases: releases.sort((one, other) => toLabelNumber(one.release) - toLabelNumber(other.release)),
      },
    ];
  });

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** Restores the key, as installed apps continue to send it, unless another deployment of the server uses it. */
export async function importDeployment(
  call: Client,
  params: Ref,
  { name, key, halt_percent }: SavedDeployment,
  omit: (line: string) => void,
): Promise<void> {
  const deploymentLabel = `deployment ${name} of ${params.owner_name}/${params.app_name}`;
  const existing = (await call(codePushDeployments_list, { params })).find((one) => one.name === name);
  if (!existing) {
    const create = (body: { name: string; key?: string }) => call(codePushDeployments_create, { params, body });
    await create({ name, ...(key ? { key } : {}) }).catch((error: unknown) => {
      if (!key || !isConflict(error)) throw error;
      omit(`the key of ${deploymentLabel}, which gets a new key: another deployment of this server uses the old one`);
      return create({ name });
    });
  } else if (key && existing.key !== key) {
    omit(`the key of ${deploymentLabel}, which already exists on this server and keeps its key`);
  }
  if (halt_percent !== undefined) {
    await call(codePushDeployments_update, { params: { ...params, deployment_name: name }, body: { halt_percent } });
  }
}

/** Publishes the release again with its label, time and origin. The upload ID makes this idempotent. */
export async function importPush(
  call: Client,
  { deployment, upload_id, ...params }: Ref & { deployment: string; upload_id: string },
  release: SavedPush,
  file: string,
  omit: (line: string) => void,
): Promise<void> {
  const named = `CodePush release ${release.label} of ${deployment} of ${params.owner_name}/${params.app_name}`;
  const at = { ...params, deployment_name: deployment };
  const existing = await call(codePushDeploymentReleases_get, { params: at });
  const same = existing.find(({ label }) => label === release.label);
  if (same) {
    if (same.package_hash !== release.package_hash) omit(`${named}: another release on this server has that label`);
    return;
  }
  const package_ = await openFile(file, 'application/octet-stream');
  await call(codePushDeploymentUpload_put, { params: { ...at, upload_id }, headers: {}, file: package_ });
  const { original_label, original_deployment, released_by, release_method } = release;
  const publish = call(codePushDeploymentReleases_create, {
    params: at,
    body: {
      release_upload: { id: upload_id },
      target_binary_version: release.target_binary_range ?? '*',
      description: release.description ?? '',
      disabled: release.is_disabled ?? false,
      mandatory: release.is_mandatory ?? false,
      rollout: release.rollout ?? 100,
      imported: {
        label: release.label ?? '',
        upload_time: release.upload_time ?? 0,
        ...(release_method ? { release_method } : {}),
        ...(original_label ? { original_label } : {}),
        ...(original_deployment ? { original_deployment } : {}),
        ...(released_by ? { released_by } : {}),
      },
    },
  });
  await publish.catch((error: unknown) => {
    if (!isConflict(error)) throw error;
    omit(`${named}: ${(error as ApiError).message}`);
  });
}
