import { Type } from '../type.ts';

/**
 * What only a machine with other tools can do with a package: by a command that whoever runs a runner names in its environment.
 * A runner declares those that it has a command for among its tools.
 */
export const handovers = {
  'publish-appstore': {
    variable: 'MOORING_PUBLISH_APPSTORE_COMMAND',
    what: 'publishes in the App Store',
  },
  'publish-intune': {
    variable: 'MOORING_PUBLISH_INTUNE_COMMAND',
    what: 'publishes in Intune',
  },
  'resign-apple': {
    variable: 'MOORING_RESIGN_APPLE_COMMAND',
    what: 're-signs packages for Apple devices',
  },
} as const;
export type Handover = keyof typeof handovers;

export const handoverNames = Object.keys(handovers) as Handover[];

/** What a runner is told of it. */
export const HandoverWork = Type.Object({
  what: Type.Enum(handoverNames),
  package: Type.Object({ id: Type.String(), name: Type.String(), size: Type.Integer(), sha256: Type.String() }),
  facts: Type.Object({
    app: Type.Object({ owner: Type.String(), name: Type.String() }),
    release: Type.Object({
      id: Type.Integer(),
      version: Type.String(),
      short_version: Type.String(),
      bundle_identifier: Type.Optional(Type.String()),
      release_notes: Type.Optional(Type.String()),
    }),
    store: Type.Optional(
      Type.Object({
        name: Type.String(),
        track: Type.Optional(Type.String()),
        intune: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    ),
    apple: Type.Optional(
      Type.Object({
        apple_id: Type.Optional(Type.String()),
        bundle_identifier: Type.Optional(Type.String()),
        team_identifier: Type.String(),
        test_flight_groups: Type.Array(Type.Object({ id: Type.String(), name: Type.String() })),
      }),
    ),
    devices: Type.Optional(
      Type.Array(Type.Object({ udid: Type.String(), name: Type.String() }), {
        description: 'That the package must run on when it comes back.',
      }),
    ),
  }),
  credentials: Type.Optional(Type.Record(Type.String(), Type.String())),
  minutes: Type.Integer({ description: 'How long it may take.' }),
});
