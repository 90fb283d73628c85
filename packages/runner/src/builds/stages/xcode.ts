import path from 'node:path';
import type { JobFiles, Plan, Sources, Stage, Work } from './stage.ts';

/** Output folder for archives and packages, relative to the sources. */
const OUTPUT_FOLDER = 'mooring-build';

const bash = (title: string, folder: string, script: string, env: Record<string, string> = {}): Stage => ({
  title,
  command: ['bash', '-e', '-o', 'pipefail', '-c', script],
  folder,
  env,
});

/** PlistBuddy is part of macOS, but not in the PATH. */
const FIND_PLIST_BUDDY = 'PATH="$PATH:/usr/libexec"';

/** Imports the certificate into a new keychain, and installs the profile where Xcode expects it. */
const SIGNING = `${FIND_PLIST_BUDDY}
security create-keychain -p "$KEYCHAIN_PASSWORD" "$KEYCHAIN"
security set-keychain-settings -lut 21600 "$KEYCHAIN"
security unlock-keychain -p "$KEYCHAIN_PASSWORD" "$KEYCHAIN"
security import "$CERTIFICATE" -k "$KEYCHAIN" -f pkcs12 -P "$CERTIFICATE_PASSWORD" -T /usr/bin/codesign
security set-key-partition-list -S apple-tool:,apple:,codesign: -s -k "$KEYCHAIN_PASSWORD" "$KEYCHAIN" >/dev/null
profiles="$HOME/Library/MobileDevice/Provisioning Profiles"
mkdir -p "$profiles"
security cms -D -i "$PROFILE" > "$PROFILE.plist"
uuid=$(PlistBuddy -c 'Print UUID' "$PROFILE.plist")
cp "$PROFILE" "$profiles/$uuid.mobileprovision"
echo "signed as profile $uuid"`;

/** The profile determines the export method. */
const EXPORT = `${FIND_PLIST_BUDDY}
plist="$PROFILE.plist"
ask() { PlistBuddy -c "Print $1" "$plist" 2>/dev/null; }
method=app-store
ask ProvisionedDevices >/dev/null && method=ad-hoc
[ "$(ask ProvisionsAllDevices)" = true ] && method=enterprise
[ "$(ask Entitlements:get-task-allow)" = true ] && method=development
identifier=$(ask Entitlements:application-identifier)
options="$PWD/${OUTPUT_FOLDER}/export.plist"
cat > "$options" <<PLIST
<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0"><dict>
<key>method</key><string>$method</string>
<key>signingStyle</key><string>manual</string>
<key>teamID</key><string>$(ask TeamIdentifier:0)</string>
<key>provisioningProfiles</key><dict><key>\${identifier#*.}</key><string>$(ask Name)</string></dict>
</dict></plist>
PLIST
xcodebuild -exportArchive -archivePath ${OUTPUT_FOLDER}/app.xcarchive -exportPath ${OUTPUT_FOLDER}/export -exportOptionsPlist "$options" OTHER_CODE_SIGN_FLAGS="--keychain $KEYCHAIN"`;

const SYMBOLS = `shopt -s nullglob
out="$PWD/${OUTPUT_FOLDER}/symbols"
mkdir -p "$out"
for folder in ${OUTPUT_FOLDER}/app.xcarchive/dSYMs ${OUTPUT_FOLDER}/products; do
  [ -d "$folder" ] || continue
  (cd "$folder" && for dsym in *.dSYM; do zip -qry "$out/$dsym.zip" "$dsym"; echo "$dsym"; done)
done`;

/** Selects the requested Xcode if several are installed. */
const selectXcode = (version: string | undefined, versions: Sources['xcodes']): Record<string, string> => {
  const app = version === undefined ? undefined : versions?.find((one) => one.version === version);
  return app ? { DEVELOPER_DIR: path.posix.join(app.folder, 'Contents/Developer') } : {};
};

/** Builds a signed archive, or an app for the simulator if there is no certificate. */
export function planXcode(
  { isSigned, buildNumber, toolsets: { xcode = {} } }: Work,
  sources: Sources,
  job: JobFiles,
): Plan {
  const project = xcode.projectOrWorkspacePath || 'App.xcodeproj';
  const folder = path.posix.dirname(project);
  const scheme = xcode.scheme || path.posix.basename(project).replace(/[.][^.]*$/, '');
  const configuration = xcode.archiveConfiguration || 'Release';
  const env = selectXcode(xcode.xcodeVersion || undefined, sources.xcodes);
  const projectOptions = [
    project.endsWith('.xcworkspace') ? '-workspace' : '-project',
    project,
    '-scheme',
    scheme,
    '-configuration',
    configuration,
  ];
  const number = buildNumber === undefined ? [] : [`CURRENT_PROJECT_VERSION=${buildNumber}`];
  const at = (file: string) => path.posix.dirname(file);
  const restore: Stage[] = [
    ...(xcode.podfilePath ? [{ title: 'Pods', command: ['pod', 'install'], folder: at(xcode.podfilePath), env }] : []),
    ...(xcode.cartfilePath
      ? [
          {
            title: 'Carthage',
            command: ['carthage', 'bootstrap', '--use-xcframeworks'],
            folder: at(xcode.cartfilePath),
            env,
          },
        ]
      : []),
  ];
  const keychain = { KEYCHAIN: job.keychain, CERTIFICATE: job.certificate, PROFILE: job.profile };
  const hasKey = isSigned && Boolean(xcode.certificateEncoded) && Boolean(xcode.provisioningProfileEncoded);
  const version: Stage = { title: 'Xcode', command: ['xcodebuild', '-version'], folder: '.', env };
  const archive: Stage[] = [
    version,
    {
      ...bash('Certificate', '.', SIGNING, {
        ...env,
        ...keychain,
        // The keychain is removed with the folder of the job.
        KEYCHAIN_PASSWORD: job.keychainPassword,
        CERTIFICATE_PASSWORD: xcode.certificatePassword ?? '',
      }),
      isSigning: true,
    },
    {
      title: 'Archive',
      command: [
        'xcodebuild',
        ...projectOptions,
        '-destination',
        'generic/platform=iOS',
        '-archivePath',
        `${OUTPUT_FOLDER}/app.xcarchive`,
        'archive',
        'CODE_SIGN_STYLE=Manual',
        `OTHER_CODE_SIGN_FLAGS=--keychain ${job.keychain}`,
        ...(xcode.teamId ? [`DEVELOPMENT_TEAM=${xcode.teamId}`] : []),
        ...number,
      ],
      folder: '.',
      env,
    },
    bash('Export', '.', EXPORT, { ...env, ...keychain }),
    bash('Symbols', '.', SYMBOLS, env),
  ];
  const simulator: Stage[] = [
    version,
    {
      title: 'Build for the simulator',
      command: [
        'xcodebuild',
        ...projectOptions,
        '-sdk',
        'iphonesimulator',
        'build',
        `CONFIGURATION_BUILD_DIR=${OUTPUT_FOLDER}/products`,
        'CODE_SIGNING_ALLOWED=NO',
        ...number,
      ],
      folder: '.',
      env,
    },
    bash(
      'Package',
      '.',
      `shopt -s nullglob; cd ${OUTPUT_FOLDER}/products; for app in *.app; do zip -qry "$app.zip" "$app"; echo "$app.zip"; done`,
      env,
    ),
    bash('Symbols', '.', SYMBOLS, env),
  ];
  return {
    folder,
    restore,
    build: hasKey ? archive : simulator,
    artifacts: [
      { kind: 'build', patterns: [`${OUTPUT_FOLDER}/export/*.ipa`, `${OUTPUT_FOLDER}/products/*.app.zip`] },
      { kind: 'symbols', patterns: [`${OUTPUT_FOLDER}/symbols/*.dSYM.zip`] },
    ],
    variables: { APPCENTER_XCODE_PROJECT: project, APPCENTER_XCODE_SCHEME: scheme },
  };
}
