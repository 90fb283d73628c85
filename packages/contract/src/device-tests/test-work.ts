import { Type } from '../type.ts';

export const testFrameworks = ['appium', 'command', 'espresso', 'xcuitest', 'uitest', 'calabash'] as const;
export const testStatuses = ['passed', 'failed', 'skipped'] as const;

const Name = Type.String({ minLength: 1, maxLength: 1000 });

/** The job description of a test run on one device, as a runner receives it. */
export const TestWork = Type.Object({
  app: Type.Object({ owner: Type.String(), name: Type.String(), os: Type.String(), platform: Type.String() }),
  run: Type.Object({ id: Type.String() }),
  device: Type.Object({
    key: Type.String({ description: 'The key that the runner declared the device with.' }),
    name: Type.String({ description: 'Such as "Google Pixel 2 XL (8.1.0)".' }),
    model: Type.String(),
    os: Type.String(),
    platform: Type.Enum(['android', 'ios']),
    index: Type.Integer({ description: 'The index of the device in the run, from 0.' }),
  }),
  framework: Type.Enum([...testFrameworks]),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'The parameters that the client sent.' }),
  locale: Type.String(),
  files: Type.Array(
    Type.Object({
      id: Type.String({ description: 'The ID to download the file with.' }),
      path: Type.String({ description: 'The path relative to the folder of the suite.' }),
      type: Type.Enum(['app-file', 'dsym-file', 'test-file']),
      sha256: Type.String(),
      size: Type.Integer(),
    }),
  ),
  only: Type.Optional(Type.Array(Name, { description: 'The tests to run, as "suite name" (default: all).' })),
  minutes: Type.Integer({ description: 'The most minutes that the job may take, including the installation.' }),
});

/** A report of a runner while tests run, in order. A screenshot is stored as a file of the job before its report. */
export const TestEvent = Type.Union([
  Type.Object({ type: Type.Literal('test-started'), at: Type.Integer(), suite: Name, test: Name }),
  Type.Object({
    type: Type.Literal('step'),
    at: Type.Integer(),
    suite: Name,
    test: Name,
    label: Type.String({ maxLength: 256 }),
    screenshot: Type.Optional(Type.String({ maxLength: 255, description: 'The name of the file.' })),
  }),
  Type.Object({
    type: Type.Literal('test-ended'),
    at: Type.Integer(),
    suite: Name,
    test: Name,
    status: Type.Enum([...testStatuses]),
    milliseconds: Type.Integer({ minimum: 0 }),
    message: Type.Optional(Type.String({ maxLength: 4096 })),
    stack: Type.Optional(Type.String({ maxLength: 65_536 })),
    memory: Type.Optional(Type.Number({ minimum: 0, description: 'The peak memory of the app, in MB.' })),
  }),
  Type.Object({
    type: Type.Literal('device-failed'),
    at: Type.Integer(),
    message: Type.String({
      maxLength: 1000,
      description: "Why further results can't be trusted. This is not a failed test.",
    }),
  }),
]);
