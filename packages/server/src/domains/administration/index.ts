import { defineDomain } from '../../domain.ts';
import { administrationRoutes } from './administration.routes.ts';

export const administration = defineDomain({ routes: administrationRoutes });
