import { defineDomain } from '../../domain.ts';
import { operationFinder } from './operation-finder.ts';
import { searchRoutes } from './search.routes.ts';

export const search = defineDomain({ routes: searchRoutes, finders: [operationFinder] });
