import type { Folders, Work } from './adapters/adapter.ts';

/** Parses `A=1|B=2`, as clients join repeated options. Skips names that are invalid in a shell. */
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

/** Environment of tests, compatible with App Center. */
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

/** Variables for the app, for frameworks that can pass them on. */
export const appEnvironment = ({ parameters }: Work): Record<string, string> => ({
  RUNNING_IN_APP_CENTER: '1',
  ...readVariables(parameters.app_env),
});
