import type { Folders, Work } from './adapters/adapter.ts';

/** `A=1|B=2`, as clients join what they are given several times; names that no shell could use are left out. */
export function readVariables(joined: unknown): Record<string, string> {
  if (typeof joined !== 'string') return {};
  const pairs = joined
    .slice(0, 100_000)
    .split('|')
    .map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [pair.trim(), ''] : [pair.slice(0, at).trim(), pair.slice(at + 1)];
    });
  return Object.fromEntries(pairs.filter(([name = '']) => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name)));
}

/** What tests find, as in the original service, and where things are. */
export function testEnvironment({ device, locale, parameters, run }: Work, folders: Folders, app?: string) {
  return {
    ...readVariables(parameters.test_env),
    HOME: folders.home,
    CI: 'true',
    TERM: 'dumb',
    APP_CENTER_TEST: '1',
    XTC_DEVICE: device.name,
    XTC_DEVICE_NAME: device.model,
    XTC_DEVICE_OS: device.os,
    XTC_DEVICE_INDEX: String(device.index),
    XTC_PLATFORM: device.platform,
    XTC_LANG: locale,
    SCREENSHOT_PATH: folders.screenshots,
    MOORING_OUTPUT: folders.output,
    MOORING_TEST_RUN: run.id,
    ...(app === undefined ? {} : { MOORING_APP_FILE: app }),
  };
}

/** Those of the app itself, which frameworks that can give it variables hand on. */
export const appEnvironment = ({ parameters }: Work): Record<string, string> => ({
  RUNNING_IN_APP_CENTER: '1',
  ...readVariables(parameters.app_env),
});
