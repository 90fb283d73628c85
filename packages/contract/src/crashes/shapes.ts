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
export const Count = Type.Integer({ minimum: 0 });

const frameFields = {
  class_name: text,
  method: text,
  class_method: flag,
  file: text,
  line: Type.Optional(Type.Integer()),
  framework_name: text,
  language: Type.Optional(Language),
  method_params: text,
};

/** The frame that a group is known by. */
export const ReasonFrame = Type.Object({
  ...frameFields,
  app_code: flag,
  code_formatted: text,
  code_raw: text,
  exception_type: text,
  os_exception_type: text,
});

/** The same in the other spelling. */
export const ErrorReasonFrame = Type.Object(
  {
    className: text,
    method: text,
    classMethod: flag,
    file: text,
    line: Type.Optional(Type.Integer()),
    appCode: flag,
    frameworkName: text,
    codeFormatted: text,
    codeRaw: text,
    language: Type.Optional(Language),
    methodParams: text,
    exceptionType: text,
    osExceptionType: text,
  },
  { $id: 'ErrorReasonFrame' },
);

const Frame = Type.Object({
  address: text,
  ...frameFields,
  app_code: Type.Boolean(),
  code_raw: Type.String(),
  code_formatted: Type.String(),
  relevant: Type.Optional(Type.Boolean({ description: 'It is one of those that the group is made by.' })),
});

const Exception = Type.Object({
  reason: text,
  type: text,
  frames: Type.Array(Frame),
  relevant: flag,
  platform: Type.Optional(Platform),
});

const Thread = Type.Object({
  title: Type.String(),
  frames: Type.Array(Frame),
  exception: Type.Optional(Exception),
  relevant: flag,
  platform: Type.Optional(Platform),
  crashed: flag,
});

const Binary = Type.Object({
  id: Type.String(),
  name: Type.String(),
  path: Type.String(),
  start_address: Type.String(),
  end_address: Type.String(),
  app_code: Type.Boolean(),
});

export const Stacktrace = Type.Object(
  {
    title: text,
    reason: text,
    threads: Type.Optional(Type.Array(Thread)),
    exception: Type.Optional(Exception),
    exceptions: Type.Optional(
      Type.Array(Exception, { description: 'Ours: every exception, the outermost first, each followed by its cause.' }),
    ),
    binaries: Type.Optional(Type.Array(Binary, { description: 'Ours: what was loaded.' })),
    missing_symbols: Type.Optional(
      Type.Array(
        Type.Object({
          id: Type.String(),
          name: Type.String(),
          reason: Type.Enum(['missing', 'other-build', 'ignored']),
          message: Type.String(),
          command: Type.Optional(Type.String({ description: 'What to run.' })),
        }),
        { description: 'Ours: what frames wait for to have names.' },
      ),
    ),
    notes: Type.Optional(
      Type.Array(Type.String(), { description: 'Ours: what a reader should know, such as what was cut off.' }),
    ),
  },
  { $id: 'CrashStacktrace' },
);

export const GroupingOnly = Type.Optional(
  Type.Boolean({ default: false, description: 'Only what the group is made by: one exception, or one thread.' }),
);

export const CrashGroup = Type.Object(
  {
    crash_group_id: Type.String(),
    new_crash_group_id: Type.String({ description: 'The same.' }),
    display_id: Type.String({ description: 'A small number to talk about.' }),
    app_version: Type.String(),
    build: Type.String(),
    status: State,
    count: Count,
    impacted_users: Type.Optional(Type.Integer({ minimum: 0, description: 'Devices that it happened on.' })),
    first_occurrence: Time,
    last_occurrence: Time,
    exception: text,
    crash_reason: Type.String(),
    reason_frame: Type.Optional(ReasonFrame),
    fatal: Type.Boolean(),
    annotation: Type.String(),
    issue_id: Type.String({ description: 'Ours: the issue over all versions.' }),
  },
  { $id: 'CrashGroup' },
);

export const ErrorGroup = Type.Object(
  {
    state: State,
    annotation: text,
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
    exceptionClassMethod: flag,
    exceptionMethod: text,
    exceptionAppCode: flag,
    exceptionFile: text,
    exceptionLine: text,
    codeRaw: text,
    reasonFrames: Type.Optional(Type.Array(ErrorReasonFrame)),
    hidden: flag,
    issueId: Type.String({ description: 'Ours: the issue over all versions.' }),
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
  hasBreadcrumbs: Type.Boolean({ description: 'It is known in which session it happened.' }),
  hasAttachments: Type.Boolean(),
  errorGroupId: Type.Optional(Type.String({ description: 'Ours: the group that it is in.' })),
  appVersion: Type.Optional(Type.String({ description: 'Ours.' })),
  appBuild: Type.Optional(Type.String({ description: 'Ours.' })),
};

export const ErrorReport = Type.Object(errorFields, { $id: 'ErrorReport' });

export const FoundReport = Type.Object(
  {
    ...errorFields,
    issueId: Type.Optional(Type.String({ description: 'Ours: the issue over all versions.' })),
    exceptionType: Type.Optional(Type.String({ description: 'Ours.' })),
    exceptionMessage: Type.Optional(Type.String({ description: 'Ours.' })),
  },
  { $id: 'FoundErrorReport' },
);

export const ErrorDetails = Type.Object(
  {
    ...errorFields,
    name: text,
    reasonFrames: Type.Optional(Type.Array(ErrorReasonFrame)),
    appLaunchTimestamp: Type.Optional(Time),
    carrierName: text,
    jailbreak: flag,
    properties: Type.Optional(Type.Record(Type.String(), Type.String())),
    exceptionMessage: Type.Optional(Type.String({ description: 'Ours.' })),
    installId: Type.Optional(Type.String({ description: 'Ours.' })),
    sessionId: Type.Optional(Type.String({ description: 'Ours.' })),
    model: Type.Optional(Type.String({ description: 'Ours.' })),
    liveUpdateLabel: Type.Optional(Type.String({ description: 'Ours: the release that came over the air.' })),
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
        rooted: Type.Boolean(),
        screen_size: Type.String(),
        app_start_timestamp: Type.Optional(Time),
      }),
    ),
    new_crash_group_id: Type.String(),
    crash_id: Type.String(),
    new_crash_id: Type.String(),
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

const Day = Type.String({ description: 'When it begins: ISO 8601, UTC.' });
export const DayCounts = Type.Object({
  count: Count,
  errors: Type.Array(Type.Object({ datetime: Day, count: Count }), {
    description: 'One for each day, in order, also where nothing happened.',
  }),
});
export const DayPercentages = Type.Object({
  averagePercentage: Type.Number({ description: 'Over the whole range.' }),
  dailyPercentages: Type.Array(Type.Object({ datetime: Day, percentage: Type.Number() })),
});

export const Range = {
  start: Type.String({ format: 'day', description: 'The first day, in UTC; only the day counts.' }),
  end: Type.Optional(Type.String({ format: 'day', description: 'The last day, which is included; today if absent.' })),
};
export const Top = {
  $top: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2000, default: 30, description: 'How many at most; 0 for all.' }),
  ),
};
export const Version = Type.Optional(Type.String({ maxLength: 256 }));
export const ErrorType = Type.Optional(Type.Enum(['all', 'unhandledError', 'handledError']));

const LeftOut = Type.Optional(
  Type.String({ description: 'Why it is not kept: it was too large, or the storage of the owner was used up.' }),
);
export const Attachments = Type.Array(
  Type.Object({
    app_id: Type.String(),
    attachment_id: Type.String(),
    crash_id: Type.String(),
    blob_location: Type.String({ description: 'Empty if it is not kept.' }),
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
    blobLocation: Type.String({ description: 'Empty if it is not kept.' }),
    contentType: Type.String(),
    fileName: Type.String(),
    createdTime: Time,
    size: Count,
    leftOut: LeftOut,
  }),
);
export const Location = Type.Object({
  uri: Type.String({ description: 'Where anybody who has the address can read it, for a while.' }),
});
