import type { Static, TProperties } from 'typebox';
import { Type } from '../type.ts';

/**
 * Clients send back everything they read, and newer clients send fields that are not listed here. All of it is
 * preserved.
 */
const loose = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true });
const text = Type.Optional(Type.String({ maxLength: 1024 }));
const described = (description: string) => Type.Optional(Type.String({ maxLength: 1024, description }));
const option = (description: string) => Type.Optional(Type.Boolean({ description }));
const unused = described('Stored for existing clients; builds ignore it.');
const ignoredFlag = option('Stored for existing clients; builds ignore it.');
const upload = described('The ID of an uploaded signing file. Its content becomes a secret of the configuration.');
const secret = Type.Optional(
  Type.String({ description: 'Never shown again: responses contain a mask. Sending the mask back keeps the value.' }),
);

/** Replaces a secret in responses. */
export const SECRET_MASK = '********';

const Xcode = loose({
  projectOrWorkspacePath: described('The path of the project or workspace (default: App.xcodeproj).'),
  podfilePath: described('The path of the Podfile. If set, the build installs its pods.'),
  cartfilePath: described('The path of the Cartfile. If set, the build runs Carthage.'),
  provisioningProfileEncoded: secret,
  certificateEncoded: secret,
  provisioningProfileFileId: unused,
  certificateFileId: unused,
  provisioningProfileUploadId: upload,
  appExtensionProvisioningProfileFiles: Type.Optional(
    Type.Array(
      loose({ fileName: text, fileId: text, uploadId: upload, targetBundleIdentifier: described('The bundle ID.') }),
      { maxItems: 50, description: 'Stored for existing clients; builds ignore it.' },
    ),
  ),
  certificateUploadId: upload,
  certificatePassword: secret,
  scheme: described('The scheme to build (default: the name of the project).'),
  xcodeVersion: described('A version from `xcode_versions` (default: the active one of the runner).'),
  provisioningProfileFilename: described('The original name of the file.'),
  certificateFilename: described('The original name of the file.'),
  teamId: described('The ID of the team in the Apple Developer Program.'),
  automaticSigning: ignoredFlag,
  xcodeProjectSha: unused,
  archiveConfiguration: described('The build configuration (default: Release).'),
  targetToArchive: unused,
  forceLegacyBuildSystem: ignoredFlag,
});

const Javascript = loose({
  packageJsonPath: described('The path of package.json (default: in the root of the repository).'),
  runTests: option('Run `npm test` after the build.'),
  reactNativeVersion: unused,
  nodeVersion: described('The version of Node.js that the runner must have, such as 26.x.'),
});

const Xamarin = loose({
  slnPath: described('The path of the solution (default: App.sln).'),
  isSimBuild: option('Build for the iOS simulator.'),
  args: described('More arguments for the build command.'),
  configuration: described('The build configuration (default: Release).'),
  p12File: secret,
  p12Pwd: secret,
  provProfile: secret,
  monoVersion: described('The version of Mono. If set, Mono builds the solution.'),
  sdkBundle: described('An SDK from `xamarin_sdk_bundles`. Without one, .NET builds the solution.'),
  symlink: unused,
});

/** The prefix of .NET bundles in `xamarin_sdk_bundles`. */
export const DOTNET_BUNDLE = 'dotnet-';

/** Whether Mono builds a solution. Without a bundle, .NET builds it. */
export const wantsMono = ({ monoVersion, sdkBundle }: Static<typeof Xamarin>): boolean =>
  Boolean(monoVersion) || (Boolean(sdkBundle) && sdkBundle?.startsWith(DOTNET_BUNDLE) !== true);

/** App Center's fields for this toolset are not documented; these names follow its other toolsets. */
const Uwp = loose({
  slnPath: described('The path of the solution (default: App.sln).'),
  path: described('The same as slnPath, which takes precedence.'),
  configuration: described('The build configuration (default: Release).'),
  certificateEncoded: secret,
  certificatePassword: secret,
  certificateUploadId: upload,
  certificateFileId: unused,
});

const Android = loose({
  gradleWrapperPath: described('The path of the Gradle wrapper (default: gradlew).'),
  module: described('The module to build (default: app).'),
  buildVariant: described('The build variant (default: release).'),
  runTests: Type.Optional(Type.Boolean({ default: true, description: 'Run the unit tests.' })),
  runLint: option('Run lint.'),
  isRoot: option('Build the root project instead of a module.'),
  automaticSigning: ignoredFlag,
  keystorePassword: secret,
  keyAlias: described('The alias of the signing key.'),
  keyPassword: secret,
  keystoreFilename: described('The original name of the keystore.'),
  keystoreEncoded: secret,
  buildBundle: option('Also build an Android App Bundle.'),
});

const patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50, description }));

/** Mooring only: your own commands. */
const Custom = loose({
  commands: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      maxItems: 100,
      description: 'Run in order with `bash -e`, in the root of the repository.',
    }),
  ),
  artifacts: patterns('Patterns of the packages to keep, such as `out/*.apk`.'),
  symbols: patterns('Patterns of the symbol files to upload.'),
  labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      maxItems: 20,
      description: 'Labels that a runner must have.',
    }),
  ),
});

export const Toolsets = loose({
  xcode: Type.Optional(Xcode),
  javascript: Type.Optional(Javascript),
  xamarin: Type.Optional(Xamarin),
  android: Type.Optional(Android),
  uwp: Type.Optional(Uwp),
  custom: Type.Optional(Custom),
});

export const EnvironmentVariable = loose({
  name: Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }),
  value: Type.String({ maxLength: 32_768 }),
  isSecret: Type.Optional(
    Type.Boolean({ description: 'Mooring only: masked in logs and responses, even for the user who set it.' }),
  ),
});

const settings = {
  trigger: Type.Optional(
    Type.Enum(['continous', 'continuous', 'manual'], {
      description: '`continuous` builds on push; `continous` is the spelling of existing clients.',
    }),
  ),
  testsEnabled: ignoredFlag,
  badgeIsEnabled: option('Make the badge of the branch public.'),
  signed: option('Sign the package.'),
  cloneFromBranch: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 250,
      description: 'When creating a configuration: copy all other settings from this branch.',
    }),
  ),
  toolsets: Type.Optional(Toolsets),
  artifactVersioning: Type.Optional(
    loose({
      buildNumberFormat: Type.Optional(
        Type.Enum(['buildId', 'timestamp'], {
          description:
            'Sets the build number of the package: to the number of the build, or to the Unix time in seconds.',
        }),
      ),
    }),
  ),
  environmentVariables: Type.Optional(Type.Array(EnvironmentVariable, { maxItems: 100 })),
};

export const BranchSettings = Type.Object(settings, { additionalProperties: true, $id: 'BranchSettings' });
export const BranchConfiguration = Type.Object(
  {
    ...settings,
    id: Type.Integer(),
    pattern: Type.Optional(
      Type.String({
        description: 'Mooring only: set if the branch has no configuration and uses that of this pattern.',
      }),
    ),
  },
  { additionalProperties: true, $id: 'BranchConfiguration' },
);
