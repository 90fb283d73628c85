import type { TProperties } from 'typebox';
import { Type } from '../type.ts';

/** Beside the sources, at their root. */
export const MOORING_YML = 'mooring.yml';

const strict = <P extends TProperties>(properties: P, description: string) =>
  Type.Object(properties, { additionalProperties: false, description });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Below the sources: neither absolute nor with `..`. */
const inside = '^(?!/)(?!(?:.*/)?\\.\\.(?:/|$))[^\\x00-\\x1f]{1,255}$';
const Path = Type.String({ pattern: inside, description: 'From the root of the sources.' });
const Patterns = (description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { maxItems: 50, description }));

const Custom = strict(
  {
    commands: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 4096 }), {
        minItems: 1,
        maxItems: 100,
        description: 'Run one after the other with `bash -e`, in the folder of the sources.',
      }),
    ),
    artifacts: Patterns('Packages that are kept.'),
    symbols: Patterns('Files that name functions and lines.'),
  },
  'Any commands.',
);

const Javascript = strict(
  { packageJsonPath: Type.Optional(Path), runTests: flag('Also `npm test`.') },
  'npm or yarn, by the lock file.',
);

const Android = strict(
  {
    gradleWrapperPath: Type.Optional(Path),
    module: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_.:-]{1,100}$' })),
    buildVariant: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' })),
    runTests: flag('Unit tests; they run unless this is false.'),
    runLint: flag('Also lint.'),
    isRoot: flag('The project has no modules.'),
    buildBundle: flag('Also a bundle for stores.'),
  },
  'The wrapper of the project. Keys to sign with are in the configuration of the branch.',
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
  'xcodebuild. The certificate and the profile are in the configuration of the branch; without them it is built for the simulator.',
);

const Xamarin = strict(
  {
    slnPath: Type.Optional(Path),
    configuration: Name,
    args: Type.Optional(Type.String({ maxLength: 1024, description: 'More arguments of the build.' })),
    sdkBundle: Type.Optional(Type.String({ pattern: '^(dotnet|mono)-[0-9.]{1,30}$' })),
    isSimBuild: flag('For a simulator, although there are keys.'),
  },
  'dotnet, or msbuild of Mono.',
);

const Uwp = strict({ slnPath: Type.Optional(Path), configuration: Name }, 'msbuild, to a bundle for Windows.');

export const Cache = strict(
  {
    key: Type.Array(Path, {
      minItems: 1,
      maxItems: 20,
      description: 'Files, such as package-lock.json: while all are the same, so is the cache.',
    }),
    paths: Type.Array(
      Type.String({ pattern: inside, description: 'From the root of the sources, or with ~/ from the home folder.' }),
      { minItems: 1, maxItems: 20 },
    ),
  },
  'What is kept from one build to the next.',
);

/** How the sources want to be built: `mooring.yml` at their root. It wins over the configuration of the branch. */
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
          description: 'With what it is built. Fields that are not named here are those of the branch.',
        },
      ),
    ),
    signed: flag('Whether packages are signed, with the key of the branch.'),
    variables: Type.Optional(
      Type.Record(Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,99}$' }), Type.String({ maxLength: 32_768 }), {
        additionalProperties: false,
        maxProperties: 100,
        description: 'Environment variables. Secrets are none of them: they are variables of the branch or the app.',
      }),
    ),
    caches: Type.Optional(Type.Array(Cache, { maxItems: 10 })),
    minutes: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1440, description: 'How long it may take, if the server allows as much.' }),
    ),
    image: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9][A-Za-z0-9._:/@-]{0,254}$',
        description: 'Of a container, for runners that build in podman or docker.',
      }),
    ),
  },
  { additionalProperties: false, title: 'mooring.yml', description: 'How Mooring builds a repository.' },
);
