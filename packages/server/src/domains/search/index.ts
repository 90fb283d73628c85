import { defineDomain } from '../../domain.ts';
import { searchRoutes } from './search.routes.ts';

export const search = defineDomain({ routes: searchRoutes });
