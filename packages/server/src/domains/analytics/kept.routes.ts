import { analytics_deleteInstall, analytics_deleteUser, analytics_limits } from '@mooring/contract';
import { route } from '../../http/mount.ts';
import { OTHER_EVENTS } from '../../telemetry/index.ts';
import { deleteInstallLogs, deleteUserLogs } from './forgotten.ts';
import { listLimits } from './limits.ts';

export const keptRoutes = [
  route(analytics_deleteInstall, (ctx, { params }) => deleteInstallLogs(ctx, params.install_id)),
  route(analytics_deleteUser, (ctx, { params }) => deleteUserLogs(ctx, params.user_id)),
  route(analytics_limits, async (ctx) => ({ limits: await listLimits(ctx), other_event_name: OTHER_EVENTS })),
];
