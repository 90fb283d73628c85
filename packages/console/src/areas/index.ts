export { administration } from './administration.ts';
export { app } from './app.ts';
export { health } from './health.ts';
export { home } from './home.ts';
export { org } from './org.ts';
export { settings } from './settings.ts';
