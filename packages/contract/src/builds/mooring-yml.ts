import type { TProperties } from 'typebox';
import { Type } from '../type.ts';

/** In the root folder of the repository. */
export const MOORING_YML = 'mooring.yml';

const strict = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** A relative path inside the repository, without `..`. */
const inside = '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\x00-\\x1f]{1,255}$';
const Path = Type.String({ pattern: inside, description: 'Relative to the root of the repository.' });
const Patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50, description }));

const Custom = strict(
  {
    commands: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Run in order with `bash -e`, in the root of the repository.',
      }),
    ),
    artifacts: Patterns('Patterns of packages to store.'),
    symbols: Patterns('Patterns of symbol files.'),
  },
  'Run your own commands.',
);

const Javascript = strict(
  { packageJsonPath: Type.Optional(Path), runTests: flag('Run `npm test`.') },
  'Build with npm or yarn, depending on the lock file.',
);

const Android = strict(
  {
    gradleWrapperPath: Type.Optional(Path),
    module: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,100}$' })),
    buildVariant: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })),
    runTests: flag('Run unit tests (default: true).'),
    runLint: flag('Run lint.'),
    isRoot: flag('The project has no modules.'),
    buildBundle: flag('Also build an app bundle for stores.'),
  },
  'Build with the Gradle wrapper of the project. The branch configuration has the signing keys.',
);

const Name = Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_. -]{0,99}$' }));

const Xcode = strict(
  {
    projectOrWorkspacePath: Type.Optional(Path),
    scheme: Name,
    archiveConfiguration: Name,
    podfilePath: Type.Optional(Path),
    cartfilePath: Type.Optional(Path),
    xcodeVersion: Type.Optional(Type.String({ pattern: '^[0-9.]{1,20}$' })),
    teamId: Type.Optional(Type.String({ pattern: '^[A-Z0-9]{1,20}$' })),
  },
  'Build with xcodebuild. The branch configuration has the certificate and the provisioning profile; without them, the app is built for the simulator.',
);

const Xamarin = strict(
  {
    slnPath: Type.Optional(Path),
    configuration: Name,
    args: Type.Optional(Type.String({ maxLength: 1024, description: 'Additional arguments of the build.' })),
    sdkBundle: Type.Optional(Type.String({ pattern: '^(dotnet|mono)-[0-9.]{1,30}$' })),
    isSimBuild: flag('Build for the simulator, even if signing keys are set.'),
  },
  'Build with dotnet, or with the msbuild of Mono.',
);

const Uwp = strict({ slnPath: Type.Optional(Path), configuration: Name }, 'Build a Windows bundle with msbuild.');

export const Cache = strict(
  {
    key: Type.Array(Path, {
      minItems: 1,
      maxItems: 20,
      description: 'Files such as package-lock.json. The cache is reused while they are unchanged.',
    }),
    paths: Type.Array(
      Type.String({
        pattern: inside,
        description: 'Relative to the root of the repository, or to the home folder with ~/.',
      }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  'Folders that are cached between builds.',
);

/** How to build a repository: `mooring.yml` in its root folder. Takes precedence over the branch configuration. */
export const MooringYml = Type.Object(
  {
    version: Type.Optional(Type.Literal(1)),
    toolsets: Type.Optional(
      Type.Object(
        {
          custom: Type.Optional(Custom),
          javascript: Type.Optional(Javascript),
          android: Type.Optional(Android),
          xcode: Type.Optional(Xcode),
          xamarin: Type.Optional(Xamarin),
          uwp: Type.Optional(Uwp),
        },
        {
          additionalProperties: false,
          minProperties: 1,
          description: 'The toolset to build with. Omitted fields come from the branch configuration.',
        },
      ),
    ),
    signed: flag('Sign packages with the key of the branch.'),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Type.String({ maxLength: 32_768 }), {
        additionalProperties: false,
        maxProperties: 100,
        description: 'Environment variables. Set secrets on the branch or the app instead.',
      }),
    ),
    caches: Type.Optional(Type.Array(Cache, { maxItems: 10 })),
    minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1440,
        description: 'The most minutes that the build may take, up to the limit of the server.',
      }),
    ),
    image: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][A-Za-z0-9._:/@-]{0,254}$',
        description: 'The container image, for runners that build in podman or docker.',
      }),
    ),
  },
  { additionalProperties: false, title: 'mooring.yml', description: 'How Mooring builds a repository.' },
);
