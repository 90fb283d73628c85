import { defineDomain } from '../../domain.ts';
import { finders } from '../../extensions/finders.ts';
import { operationFinder } from './operation-finder.ts';
import { searchRoutes } from './search.routes.ts';

export const search = defineDomain({ routes: searchRoutes, extensions: [finders.add(operationFinder)] });
