import {
  branchConfigurations_create,
  branchConfigurations_delete,
  branchConfigurations_get,
  branchConfigurations_update,
  builds_listToolsetProjects,
  fileAssets_create,
} from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { deleteBranchConfiguration } from '../builds.ts';
import { listProjects } from '../repositories/projects.ts';
import {
  type BranchConfiguration,
  beginSigningFile,
  createConfiguration,
  getConfiguration,
  updateConfiguration,
} from './branch-configurations.ts';

const toWire = ({ id, branch, settings, pattern }: BranchConfiguration) => ({
  ...settings,
  branch: { name: branch },
  id,
  ...(pattern === undefined ? {} : { pattern }),
});

export const branchConfigurationRoutes = [
  route(branchConfigurations_get, async (ctx, { params }) => toWire(await getConfiguration(ctx, params.branch))),
  route(branchConfigurations_create, async (ctx, { params, body }) =>
    toWire(await createConfiguration(ctx, params.branch, body)),
  ),
  route(branchConfigurations_update, async (ctx, { params, body }) =>
    toWire(await updateConfiguration(ctx, params.branch, body)),
  ),
  route(branchConfigurations_delete, async (ctx, { params }) => {
    await deleteBranchConfiguration(ctx, params.branch);
    return { message: `Deleted the build configuration of the branch ${params.branch}.` };
  }),
  route(builds_listToolsetProjects, (ctx, { params, query }, reply) =>
    listProjects(ctx, params.branch, { maxDepth: query.maxSearchDepth, signal: reply.signal() }),
  ),
  route(fileAssets_create, async (ctx) => {
    const { id, domain, token } = await beginSigningFile(ctx);
    return {
      id,
      uploadDomain: domain,
      token,
      urlEncodedToken: encodeURIComponent(token),
      location: 'mooring',
      uploadWindowLocation: `${domain}/upload`,
    };
  }),
];
