import type { Static, TProperties } from 'typebox';
import { Type } from '../type.ts';

/** Clients send back whatever they read, and newer ones more than is listed here: nothing of it is lost. */
const loose = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: true });
const text = Type.Optional(Type.String({ maxLength: 1024 }));
const secret = Type.Optional(
  Type.String({ description: 'Never shown again: a mask stands for it, which sent back leaves it as it is.' }),
);
const flag = Type.Optional(Type.Boolean());

/** What stands for a secret in an answer. */
export const SECRET_MASK = '********';

const Xcode = loose({
  projectOrWorkspacePath: text,
  podfilePath: text,
  cartfilePath: text,
  provisioningProfileEncoded: secret,
  certificateEncoded: secret,
  provisioningProfileFileId: text,
  certificateFileId: text,
  provisioningProfileUploadId: text,
  appExtensionProvisioningProfileFiles: Type.Optional(
    Type.Array(loose({ fileName: text, fileId: text, uploadId: text, targetBundleIdentifier: text }), { maxItems: 50 }),
  ),
  certificateUploadId: text,
  certificatePassword: secret,
  scheme: text,
  xcodeVersion: text,
  provisioningProfileFilename: text,
  certificateFilename: text,
  teamId: text,
  automaticSigning: flag,
  xcodeProjectSha: text,
  archiveConfiguration: text,
  targetToArchive: text,
  forceLegacyBuildSystem: flag,
});

const Javascript = loose({ packageJsonPath: text, runTests: flag, reactNativeVersion: text, nodeVersion: text });

const Xamarin = loose({
  slnPath: text,
  isSimBuild: flag,
  args: text,
  configuration: text,
  p12File: secret,
  p12Pwd: secret,
  provProfile: secret,
  monoVersion: text,
  sdkBundle: text,
  symlink: text,
});

/** Of the bundles that `xamarin_sdk_bundles` lists, those of .NET have names that begin so. */
export const DOTNET_BUNDLE = 'dotnet-';

/** Whether a solution is built by Mono: one that names nothing is built by .NET. */
export const wantsMono = ({ monoVersion, sdkBundle }: Static<typeof Xamarin>): boolean =>
  Boolean(monoVersion) || (Boolean(sdkBundle) && sdkBundle?.startsWith(DOTNET_BUNDLE) !== true);

/** What the original knew of it is not known: these are the names that its other toolsets have. */
const Uwp = loose({
  slnPath: text,
  path: text,
  configuration: text,
  certificateEncoded: secret,
  certificatePassword: secret,
  certificateUploadId: text,
  certificateFileId: text,
});

const Android = loose({
  gradleWrapperPath: text,
  module: text,
  buildVariant: text,
  runTests: Type.Optional(Type.Boolean({ default: true })),
  runLint: flag,
  isRoot: flag,
  automaticSigning: flag,
  keystorePassword: secret,
  keyAlias: text,
  keyPassword: secret,
  keystoreFilename: text,
  keystoreEncoded: secret,
  buildBundle: flag,
});

const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50 });

/** Ours: any commands. */
const Custom = loose({
  commands: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
      maxItems: 100,
      description: 'Run one after the other with `bash -e`, in the folder of the sources.',
    }),
  ),
  artifacts: Type.Optional(Patterns),
  symbols: Type.Optional(Patterns),
  labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 20, description: 'What a runner must have.' }),
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
    Type.Boolean({ description: 'Ours: masked in logs, and never shown again, not even to those who set it.' }),
  ),
});

const settings = {
  trigger: Type.Optional(Type.Enum(['continous', 'continuous', 'manual'])),
  testsEnabled: flag,
  badgeIsEnabled: flag,
  signed: flag,
  cloneFromBranch: Type.Optional(
    Type.String({ minLength: 1, maxLength: 250, description: 'At creation: all else is taken from that branch.' }),
  ),
  toolsets: Type.Optional(Toolsets),
  artifactVersioning: Type.Optional(loose({ buildNumberFormat: Type.Optional(Type.Enum(['buildId', 'timestamp'])) })),
  environmentVariables: Type.Optional(Type.Array(EnvironmentVariable, { maxItems: 100 })),
};

export const BranchSettings = Type.Object(settings, { additionalProperties: true, $id: 'BranchSettings' });
export const BranchConfiguration = Type.Object(
  {
    ...settings,
    id: Type.Integer(),
    pattern: Type.Optional(
      Type.String({ description: 'Ours: the branch has no configuration of its own; this is the one of the pattern.' }),
    ),
  },
  { additionalProperties: true, $id: 'BranchConfiguration' },
);
