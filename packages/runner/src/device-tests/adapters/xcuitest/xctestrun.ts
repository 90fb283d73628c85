import { escapeXml } from '@mooring/contract';

type Plist = string | boolean | number | readonly Plist[] | { readonly [name: string]: Plist };

function write(value: Plist): string {
  if (typeof value === 'string') return `<string>${escapeXml(value)}</string>`;
  if (typeof value === 'boolean') return value ? '<true/>' : '<false/>';
  if (typeof value === 'number') return `<integer>${value}</integer>`;
  if (Array.isArray(value)) return `<array>${value.map(write).join('')}</array>`;
  const entries = Object.entries(value).map(([name, one]) => `<key>${escapeXml(name)}</key>${write(one)}`);
  return `<dict>${entries.join('')}</dict>`;
}

export interface TestRun {
  /** Paths of the unpacked folders. */
  app: string;
  runner: string;
  /** Test bundle in the runner. */
  bundle: string;
  env: Record<string, string>;
  only?: readonly string[] | undefined;
}

/** Writes the file for `xcodebuild test-without-building -xctestrun`. */
export const writeTestRun = ({ app, runner, bundle, env, only }: TestRun): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${write({
    __xctestrun_metadata__: { FormatVersion: 1 },
    Suite: {
      IsUITestBundle: true,
      TestHostPath: runner,
      TestBundlePath: `__TESTHOST__/PlugIns/${bundle}`,
      UITargetAppPath: app,
      TestingEnvironmentVariables: env,
      SystemAttachmentLifetime: 'keepAlways',
      UserAttachmentLifetime: 'keepAlways',
      ...(only ? { OnlyTestIdentifiers: only.map((name) => name.replace(' ', '/')) } : {}),
    },
  })}</plist>
`;
