export { createEventPages, type EventPages } from './event-pages.ts';
export { createPageCache } from './page-cache.ts';
