import { Type } from '../type.ts';

/**
 * Work on a package that requires special tools: a runner does it with a command that is set in its environment. The
 * runner declares the commands that it has among its tools.
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

/** The job description, as a runner receives it. */
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
        description: 'Devices that the returned package must support.',
      }),
    ),
  }),
  credentials: Type.Optional(Type.Record(Type.String(), Type.String())),
  minutes: Type.Integer({ description: 'The most minutes that the command may take.' }),
});
