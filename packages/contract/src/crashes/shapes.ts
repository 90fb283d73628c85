import { AppPath, Time } from '../fields.ts';
import { Type } from '../type.ts';

export const at = '/v0.1/apps/{owner_name}/{app_name}';
export const groupAt = `${at}/crash_groups/{crash_group_id}`;
export const crashAt = `${groupAt}/crashes/{crash_id}`;
export const errorGroupAt = `${at}/errors/errorGroups/{errorGroupId}`;
export const errorAt = `${errorGroupAt}/errors/{errorId}`;

const Id = Type.String({ minLength: 1, maxLength: 128 });
export const params = {
  app: Type.Object(AppPath),
  group: Type.Object({ ...AppPath, crash_group_id: Id }),
  crash: Type.Object({ ...AppPath, crash_group_id: Id, crash_id: Id }),
  crashAttachments: Type.Object({ ...AppPath, crash_id: Id }),
  crashAttachment: Type.Object({ ...AppPath, crash_id: Id, attachment_id: Id }),
  errorGroup: Type.Object({ ...AppPath, errorGroupId: Id }),
  error: Type.Object({ ...AppPath, errorGroupId: Id, errorId: Id }),
  ofError: Type.Object({ ...AppPath, errorId: Id }),
  errorAttachment: Type.Object({ ...AppPath, errorId: Id, attachmentId: Id }),
  issue: Type.Object({ ...AppPath, issue_id: Id }),
};

export const reading = {
  method: 'GET',
  tag: 'crashes',
  access: 'app:viewer',
  effect: 'read',
  errors: [400, 403, 404],
} as const;
export const changing = { tag: 'crashes', access: 'app:developer', effect: 'change', errors: [400, 403, 404] } as const;

export const groupStates = ['open', 'closed', 'ignored'] as const;
export const State = Type.Enum([...groupStates]);

export const frameLanguages = [
  'JavaScript',
  'CSharp',
  'Objective-C',
  'Objective-Cpp',
  'Cpp',
  'C',
  'Swift',
  'Java',
  'Unknown',
] as const;
const Language = Type.Enum([...frameLanguages]);
export const stackPlatforms = ['ios', 'android', 'xamarin', 'react-native', 'ndk', 'unity', 'other'] as const;
const Platform = Type.Enum([...stackPlatforms]);

const text = Type.Optional(Type.String());
const flag = Type.Optional(Type.Boolean());
const described = (description: string) => Type.Optional(Type.String({ description }));
const option = (description: string) => Type.Optional(Type.Boolean({ description }));

const STATIC = 'True for a static method.';
const RAW = 'The frame as reported, before formatting.';
const OWN_CODE = 'True for code of the app, as opposed to libraries and the operating system.';
const OS_TYPE = 'The name of the exception in the operating system, such as SIGSEGV.';
const BINARY = 'The binary that contains the code.';
export const Count = Type.Integer({ minimum: 0 });

const frameFields = {
  class_name: text,
  method: text,
  class_method: option(STATIC),
  file: text,
  line: Type.Optional(Type.Integer()),
  framework_name: described(BINARY),
  language: Type.Optional(Language),
  method_params: described('The parameters of the method.'),
};

/** The frame that identifies a group. */
export const ReasonFrame = Type.Object({
  ...frameFields,
  app_code: option(OWN_CODE),
  code_formatted: described('The frame as one line.'),
  code_raw: described(RAW),
  exception_type: text,
  os_exception_type: described(OS_TYPE),
});

/** The same in camel case. */
export const ErrorReasonFrame = Type.Object(
  {
    className: text,
    method: text,
    classMethod: option(STATIC),
    file: text,
    line: Type.Optional(Type.Integer()),
    appCode: option(OWN_CODE),
    frameworkName: described(BINARY),
    codeFormatted: described('The frame as one line.'),
    codeRaw: described(RAW),
    language: Type.Optional(Language),
    methodParams: described('The parameters of the method.'),
    exceptionType: text,
    osExceptionType: described(OS_TYPE),
  },
  { $id: 'ErrorReasonFrame' },
);

const Frame = Type.Object({
  address: described('The address of the instruction, in hexadecimal.'),
  ...frameFields,
  app_code: Type.Boolean({ description: OWN_CODE }),
  code_raw: Type.String({ description: RAW }),
  code_formatted: Type.String({ description: 'The frame as one line.' }),
  relevant: Type.Optional(Type.Boolean({ description: 'True if the frame is part of the grouping key.' })),
});

const Exception = Type.Object({
  reason: described('The message of the exception.'),
  type: text,
  frames: Type.Array(Frame),
  relevant: option('True if the grouping key comes from this exception.'),
  platform: Type.Optional(Platform),
});

const Thread = Type.Object({
  title: Type.String(),
  frames: Type.Array(Frame),
  exception: Type.Optional(Exception),
  relevant: option('True if the grouping key comes from this thread.'),
  platform: Type.Optional(Platform),
  crashed: option('True if the app crashed in this thread.'),
});

const Binary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  path: Type.String(),
  start_address: Type.String({ description: 'The first address of the binary in memory, in hexadecimal.' }),
  end_address: Type.String({ description: 'The last address of the binary in memory, in hexadecimal.' }),
  app_code: Type.Boolean({ description: OWN_CODE }),
});

export const Stacktrace = Type.Object(
  {
    title: text,
    reason: text,
    threads: Type.Optional(Type.Array(Thread)),
    exception: Type.Optional(Exception),
    exceptions: Type.Optional(
      Type.Array(Exception, {
        description: 'Mooring only: all exceptions, the outermost first, each followed by its cause.',
      }),
    ),
    binaries: Type.Optional(Type.Array(Binary, { description: 'Mooring only: the loaded binaries.' })),
    missing_symbols: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          reason: Type.Enum(['missing', 'other-build', 'ignored']),
          message: Type.String(),
          command: Type.Optional(Type.String({ description: 'The command that uploads the symbols.' })),
        }),
        { description: 'Mooring only: the symbols that are missing to name all frames.' },
      ),
    ),
    notes: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Mooring only: notes about the stack trace, such as parts that were cut off.',
      }),
    ),
  },
  { $id: 'CrashStacktrace' },
);

export const GroupingOnly = Type.Optional(
  Type.Boolean({ default: false, description: 'Return only the exception or thread that the group is based on.' }),
);

export const CrashGroup = Type.Object(
  {
    crash_group_id: Type.String(),
    new_crash_group_id: Type.String({ description: 'The same as crash_group_id.' }),
    display_id: Type.String({ description: 'A short number for conversations.' }),
    app_version: Type.String(),
    build: Type.String(),
    status: State,
    count: Count,
    impacted_users: Type.Optional(Type.Integer({ minimum: 0, description: 'The number of affected devices.' })),
    first_occurrence: Time,
    last_occurrence: Time,
    exception: described('The type of the exception.'),
    crash_reason: Type.String({ description: 'The type and message of the exception.' }),
    reason_frame: Type.Optional(ReasonFrame),
    fatal: Type.Boolean({ description: 'True for crashes, false for handled errors.' }),
    annotation: Type.String({ description: 'The note that users edit.' }),
    issue_id: Type.String({ description: 'Mooring only: the ID of the issue across all versions.' }),
  },
  { $id: 'CrashGroup' },
);

export const ErrorGroup = Type.Object(
  {
    state: State,
    annotation: described('The note that users edit.'),
    errorGroupId: Type.String(),
    appVersion: Type.String(),
    appBuild: text,
    count: Count,
    deviceCount: Count,
    firstOccurrence: Time,
    lastOccurrence: Time,
    exceptionType: text,
    exceptionMessage: text,
    exceptionClassName: text,
    exceptionClassMethod: option(STATIC),
    exceptionMethod: text,
    exceptionAppCode: option(OWN_CODE),
    exceptionFile: text,
    exceptionLine: text,
    codeRaw: described(RAW),
    reasonFrames: Type.Optional(Type.Array(ErrorReasonFrame, { description: 'The frame that identifies the group.' })),
    hidden: flag,
    issueId: Type.String({ description: 'Mooring only: the ID of the issue across all versions.' }),
  },
  { $id: 'ErrorGroup' },
);

const errorFields = {
  errorId: Type.String(),
  timestamp: Time,
  deviceName: text,
  osVersion: text,
  osType: text,
  country: text,
  language: text,
  userId: text,
  hasBreadcrumbs: Type.Boolean({
    description:
      'True if the session of the report is known, or the report has breadcrumbs; lists know only the former.',
  }),
  hasAttachments: Type.Boolean(),
  errorGroupId: Type.Optional(Type.String({ description: 'Mooring only: the group of the report.' })),
  appVersion: Type.Optional(Type.String({ description: 'Mooring only: the version of the app.' })),
  appBuild: Type.Optional(Type.String({ description: 'Mooring only: the build of the app.' })),
};

export const ErrorReport = Type.Object(errorFields, { $id: 'ErrorReport' });

export const FoundReport = Type.Object(
  {
    ...errorFields,
    issueId: Type.Optional(Type.String({ description: 'Mooring only: the ID of the issue across all versions.' })),
    exceptionType: Type.Optional(Type.String({ description: 'Mooring only: the type of the exception.' })),
    exceptionMessage: Type.Optional(Type.String({ description: 'Mooring only: the message of the exception.' })),
  },
  { $id: 'FoundErrorReport' },
);

export const ErrorDetails = Type.Object(
  {
    ...errorFields,
    name: text,
    reasonFrames: Type.Optional(Type.Array(ErrorReasonFrame, { description: 'The frame that identifies the group.' })),
    appLaunchTimestamp: Type.Optional(Time),
    carrierName: text,
    jailbreak: option('True if the device is jailbroken or rooted.'),
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
    user: Type.Optional(
      Type.Object(
        {
          id: Type.Optional(Type.String()),
          email: Type.Optional(Type.String()),
          username: Type.Optional(Type.String()),
        },
        { description: 'Mooring only: the user as the app named them in a Sentry SDK, without an IP address.' },
      ),
    ),
    contexts: Type.Optional(
      Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
        description:
          'Mooring only: contexts of a Sentry SDK, such as device and app, by name: up to 200 values with 500 characters each; the downloaded report has all.',
      }),
    ),
    extra: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: 'Mooring only: extra data of a Sentry SDK, within the same limits.',
      }),
    ),
    exceptionMessage: Type.Optional(Type.String({ description: 'Mooring only: the message of the exception.' })),
    installId: Type.Optional(Type.String({ description: 'Mooring only: the install that sent the report.' })),
    sessionId: Type.Optional(Type.String({ description: 'Mooring only: the session that the report occurred in.' })),
    model: Type.Optional(Type.String({ description: 'Mooring only: the model of the device.' })),
    liveUpdateLabel: Type.Optional(Type.String({ description: 'Mooring only: the installed CodePush release.' })),
  },
  { $id: 'ErrorDetails' },
);

export const Crash = Type.Object(
  {
    details: Type.Optional(
      Type.Object({
        carrier_country: text,
        carrier_name: text,
        locale: Type.String(),
        os_build: text,
        rooted: Type.Boolean({ description: 'True if the device is jailbroken or rooted.' }),
        screen_size: Type.String(),
        app_start_timestamp: Type.Optional(Time),
      }),
    ),
    new_crash_group_id: Type.String({ description: 'The ID of the crash group.' }),
    crash_id: Type.String(),
    new_crash_id: Type.String({ description: 'The same as crash_id.' }),
    display_id: text,
    timestamp: Time,
    version: Type.String(),
    build: Type.String(),
    device: Type.String(),
    device_name: text,
    os_version: Type.String(),
    os_type: text,
    stacktrace: Type.Optional(Stacktrace),
    user_name: Type.String(),
    user_email: text,
  },
  { $id: 'Crash' },
);

const Day = Type.String({ description: 'The start of the day: ISO 8601, UTC.' });
export const DayCounts = Type.Object({
  count: Count,
  errors: Type.Array(Type.Object({ datetime: Day, count: Count }), {
    description: 'One count for each day, in order, including zeros.',
  }),
});
export const DayPercentages = Type.Object({
  averagePercentage: Type.Number({ description: 'The average over the whole range.' }),
  dailyPercentages: Type.Array(Type.Object({ datetime: Day, percentage: Type.Number() })),
});

export const Range = {
  start: Type.String({ format: 'day', description: 'The first day, in UTC. The time of day is ignored.' }),
  end: Type.Optional(Type.String({ format: 'day', description: 'The last day, inclusive (default: today).' })),
};
export const Top = {
  $top: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2000,
      default: 30,
      description: 'The maximum number of results. 0 returns all.',
    }),
  ),
};
export const Version = Type.Optional(Type.String({ maxLength: 256 }));
export const ErrorType = Type.Optional(Type.Enum(['all', 'unhandledError', 'handledError']));

const LeftOut = Type.Optional(
  Type.String({
    description: 'Why the attachment is not stored: it was too large, or exceeded the storage quota of the owner.',
  }),
);
export const Attachments = Type.Array(
  Type.Object({
    app_id: Type.String(),
    attachment_id: Type.String(),
    crash_id: Type.String(),
    blob_location: Type.String({ description: 'Empty if the attachment is not stored.' }),
    content_type: Type.String(),
    file_name: Type.String(),
    created_time: Time,
    size: Type.Number(),
    left_out: LeftOut,
  }),
);
export const ErrorAttachments = Type.Array(
  Type.Object({
    appId: Type.String(),
    attachmentId: Type.String(),
    crashId: Type.String(),
    blobLocation: Type.String({ description: 'Empty if the attachment is not stored.' }),
    contentType: Type.String(),
    fileName: Type.String(),
    createdTime: Time,
    size: Count,
    leftOut: LeftOut,
  }),
);
export const Location = Type.Object({
  uri: Type.String({ description: 'A public URL that expires.' }),
});
