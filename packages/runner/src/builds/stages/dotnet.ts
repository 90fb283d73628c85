import path from 'node:path';
import { wantsMono } from '@mooring/contract';
import type { JobFiles, Plan, Stage, Work } from './stage.ts';

/** Splits arguments like a shell, without running one. */
const splitArguments = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');

/** The configuration decides between Mono and .NET. */
const isMono = ({ toolsets: { xamarin = {} } }: Work): boolean => wantsMono(xamarin);

/** Builds with `dotnet`, or with `msbuild` from Mono. */
export function planXamarin(work: Work, job: JobFiles): Plan {
  const { xamarin = {}, android = {} } = work.toolsets;
  const solution = xamarin.slnPath || 'App.sln';
  const folder = path.posix.dirname(solution);
  const configuration = xamarin.configuration || 'Release';
  const isIos = work.app.os === 'iOS';
  const isSimulator = xamarin.isSimBuild === true || !work.isSigned;
  const ios = isMono(work)
    ? [`-p:Platform=${isSimulator ? 'iPhoneSimulator' : 'iPhone'}`, ...(isSimulator ? [] : ['-p:BuildIpa=true'])]
    : [
        `-p:RuntimeIdentifier=${isSimulator ? 'iossimulator-arm64' : 'ios-arm64'}`,
        ...(isSimulator ? [] : ['-p:ArchiveOnBuild=true']),
      ];
  const hasKey = work.isSigned && Boolean(android.keystoreEncoded);
  const key = hasKey
    ? [
        '-p:AndroidKeyStore=true',
        `-p:AndroidSigningKeyStore=${job.keystore}`,
        `-p:AndroidSigningKeyAlias=${android.keyAlias ?? ''}`,
        // The tools read passwords from the environment, so that they don't appear in process lists.
        '-p:AndroidSigningStorePass=env:KEYSTORE_PASSWORD',
        '-p:AndroidSigningKeyPass=env:KEY_PASSWORD',
      ]
    : [];
  const properties = [
    `-p:Configuration=${configuration}`,
    ...(work.buildNumber === undefined ? [] : [`-p:ApplicationVersion=${work.buildNumber}`]),
    ...(isIos ? ios : ['-p:AndroidBuildApplicationPackage=true', ...key]),
    ...splitArguments(xamarin.args ?? ''),
  ];
  const env: Record<string, string> = hasKey
    ? {
        KEYSTORE_PASSWORD: android.keystorePassword ?? '',
        KEY_PASSWORD: android.keyPassword || (android.keystorePassword ?? ''),
      }
    : {};
  const restore: Stage = isMono(work)
    ? { title: 'Packages', command: ['nuget', 'restore', solution, '-NonInteractive'], folder: '.' }
    : { title: 'Packages', command: ['dotnet', 'restore', solution], folder: '.' };
  const build: Stage = isMono(work)
    ? { title: 'Build', command: ['msbuild', solution, ...properties], folder: '.', env, isSigning: hasKey }
    : {
        title: 'Build',
        command: ['dotnet', 'build', solution, '--no-restore', ...properties],
        folder: '.',
        env,
        isSigning: hasKey,
      };
  const outputPattern = (name: string) => path.posix.join(folder, `**/bin/**/${name}`);
  return {
    folder,
    restore: [restore],
    build: [build],
    artifacts: [
      {
        kind: 'build',
        patterns: [outputPattern('*-Signed.apk'), outputPattern('*-Signed.aab'), outputPattern('*.ipa')],
      },
      { kind: 'mapping', patterns: [outputPattern('mapping.txt')] },
    ],
    variables: { APPCENTER_XAMARIN_PROJECT: solution, APPCENTER_XAMARIN_CONFIGURATION: configuration },
  };
}

/** Builds a Windows bundle with `msbuild`, and signs it if the branch has a certificate. */
export function planUwp({ isSigned, toolsets: { uwp = {} } }: Work, job: JobFiles): Plan {
  const solution = uwp.slnPath || uwp.path || 'App.sln';
  const configuration = uwp.configuration || 'Release';
  const folder = path.posix.dirname(solution);
  const packages = path.posix.join(folder, 'AppPackages');
  const sign = `shopt -s globstar nullglob
for bundle in ${packages}/**/*.{msix,appx}bundle ${packages}/**/*.{msix,appx}; do
  signtool sign -fd SHA256 -f "$CERTIFICATE" -p "$CERTIFICATE_PASSWORD" "$bundle"
done`;
  return {
    folder,
    restore: [{ title: 'Packages', command: ['nuget', 'restore', solution, '-NonInteractive'], folder: '.' }],
    build: [
      {
        title: 'Build',
        command: [
          'msbuild',
          solution,
          `-p:Configuration=${configuration}`,
          '-p:AppxBundle=Always',
          '-p:AppxBundlePlatforms=x86|x64|ARM64',
          '-p:UapAppxPackageBuildMode=SideloadOnly',
          `-p:AppxPackageDir=${job.sources}/${packages}/`,
          '-p:AppxPackageSigningEnabled=false',
        ],
        folder: '.',
      },
      ...(isSigned && uwp.certificateEncoded
        ? [
            {
              title: 'Sign',
              command: ['bash', '-e', '-c', sign],
              folder: '.',
              env: { CERTIFICATE: job.certificate, CERTIFICATE_PASSWORD: uwp.certificatePassword ?? '' },
              isSigning: true,
            },
          ]
        : []),
    ],
    artifacts: [
      { kind: 'build', patterns: ['msixbundle', 'appxbundle', 'msix', 'appx'].map((end) => `${packages}/**/*.${end}`) },
      { kind: 'symbols', patterns: [`${packages}/**/*.appxsym`] },
    ],
    variables: { APPCENTER_UWP_SOLUTION: solution, APPCENTER_UWP_CONFIGURATION: configuration },
  };
}
