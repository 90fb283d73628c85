import { apps_getOverview } from '@mooring/contract';
import { route } from '../../../http/mount.ts';
import { getAppOverview } from './app-overview.ts';

export const appOverviewRoutes = [route(apps_getOverview, getAppOverview)];
