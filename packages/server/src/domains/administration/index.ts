export { operationsRoutes } from './administration.routes.ts';
