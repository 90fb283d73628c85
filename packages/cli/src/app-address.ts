import { wrongUsage } from './runner/errors.ts';

/** Reads `owner/app`, the way apps are listed. */
export function readApp(text: string, where = '--app'): { owner_name: string; app_name: string } {
  const [, owner_name, app_name] = /^([^/]+)\/([^/]+)$/.exec(text) ?? [];
  if (!owner_name || !app_name) throw wrongUsage(`${where} must look like owner/app, not "${text}".`);
  return { owner_name, app_name };
}
