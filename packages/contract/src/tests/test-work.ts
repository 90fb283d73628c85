import { Type } from '../type.ts';

export const testFrameworks = ['appium', 'command', 'espresso', 'xcuitest', 'uitest', 'calabash'] as const;
export const testStatuses = ['passed', 'failed', 'skipped'] as const;

const Name = Type.String({ minLength: 1, maxLength: 1000 });

/** What a runner is told of a run of tests on one of its devices. */
export const TestWork = Type.Object({
  app: Type.Object({ owner: Type.String(), name: Type.String(), os: Type.String(), platform: Type.String() }),
  run: Type.Object({ id: Type.String() }),
  device: Type.Object({
    key: Type.String({ description: 'By which the runner declared it.' }),
    name: Type.String({ description: 'Such as "Google Pixel 2 XL (8.1.0)".' }),
    model: Type.String(),
    os: Type.String(),
    platform: Type.Enum(['android', 'ios']),
    index: Type.Integer({ description: 'Which of the devices of the run it is, from 0.' }),
  }),
  framework: Type.Enum([...testFrameworks]),
  parameters: Type.Record(Type.String(), Type.Unknown(), { description: 'As the client sent them.' }),
  locale: Type.String(),
  files: Type.Array(
    Type.Object({
      id: Type.String({ description: 'To fetch it by.' }),
      path: Type.String({ description: 'Where it belongs below the folder of the suite.' }),
      type: Type.Enum(['app-file', 'dsym-file', 'test-file']),
      sha256: Type.String(),
      size: Type.Integer(),
    }),
  ),
  only: Type.Optional(Type.Array(Name, { description: 'The tests to run, as "suite name"; all without it.' })),
  minutes: Type.Integer({ description: 'How long it may take from installation.' }),
});

/** What a runner tells while tests run, in order; a screenshot is a file of the job that was kept before it is told of. */
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
    memory: Type.Optional(Type.Number({ minimum: 0, description: 'The most that the app took, in MB.' })),
  }),
  Type.Object({
    type: Type.Literal('device-failed'),
    at: Type.Integer(),
    message: Type.String({
      maxLength: 1000,
      description: 'Why no more of it can be trusted, which is no failed test.',
    }),
  }),
]);
