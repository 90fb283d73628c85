import { toIso } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { parseOwnJson } from '../../kernel/text/json.ts';
import { groupReport } from './grouping/grouping-key.ts';
import type { Group } from './issues/groups.ts';
import type { Issue } from './issues/issues.ts';
import type { Report } from './reports/reports.ts';
import type { FoundReport } from './reports/search/search.ts';
import { type ExceptionStack, type Frame, formatFrame, type Stack, type ThreadStack } from './stacks/stack.ts';

/** Omits empty fields. */
const known = <T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };

const frameFields = (frame: Frame) => ({
  class_name: frame.className,
  method: frame.method,
  class_method: frame.isClassMethod,
  file: frame.file,
  line: frame.line,
  framework_name: frame.image,
  language: frame.language,
  method_params: frame.params,
});

const toReasonFrame = (frame: Frame | null, exceptionType: string) =>
  frame === null
    ? undefined
    : known({
        ...frameFields(frame),
        app_code: frame.isApp,
        code_formatted: formatFrame(frame),
        code_raw: frame.raw,
        exception_type: exceptionType,
      });

const readFrame = (json: string): Frame | null => parseOwnJson<Frame | null>(json);

/** Class and method of a group, in one line. */
export const formatTitle = ({ class_name, method }: Pick<Group, 'class_name' | 'method'>): string =>
  [class_name, method].filter(Boolean).join('.');

export const groupToWire = (group: Group) => {
  const reason = toReasonFrame(readFrame(group.frame), group.exception_type);
  return {
    crash_group_id: group.id,
    new_crash_group_id: group.id,
    display_id: String(group.number),
    app_version: group.version,
    build: group.build,
    status: group.state,
    count: group.count,
    impacted_users: group.device_count,
    first_occurrence: toIso(group.first_at),
    last_occurrence: toIso(group.last_at),
    ...(group.exception_type ? { exception: group.exception_type } : {}),
    crash_reason: group.message || group.exception_type || formatTitle(group),
    ...(reason ? { reason_frame: reason } : {}),
    fatal: group.kind === 'crash',
    annotation: group.annotation,
    issue_id: group.issue_id,
  };
};

const errorReason = (frame: Frame | null, exceptionType: string) =>
  frame === null
    ? []
    : [
        known({
          className: frame.className,
          method: frame.method,
          classMethod: frame.isClassMethod,
          file: frame.file,
          line: frame.line,
          appCode: frame.isApp,
          frameworkName: frame.image,
          codeFormatted: formatFrame(frame),
          codeRaw: frame.raw,
          language: frame.language,
          methodParams: frame.params,
          exceptionType,
        }),
      ];

export const errorGroupToWire = (group: Group) => {
  const frame = readFrame(group.frame);
  return {
    state: group.state,
    annotation: group.annotation,
    errorGroupId: group.id,
    appVersion: group.version,
    appBuild: group.build,
    count: group.count,
    deviceCount: group.device_count,
    firstOccurrence: toIso(group.first_at),
    lastOccurrence: toIso(group.last_at),
    exceptionType: group.exception_type,
    exceptionMessage: group.message,
    exceptionClassName: group.class_name,
    exceptionMethod: group.method,
    exceptionFile: group.file,
    ...(group.line > 0 ? { exceptionLine: String(group.line) } : {}),
    ...(frame
      ? { exceptionClassMethod: frame.isClassMethod ?? false, exceptionAppCode: frame.isApp, codeRaw: frame.raw }
      : {}),
    reasonFrames: errorReason(frame, group.exception_type),
    hidden: false,
    issueId: group.issue_id,
  };
};

export const issueToWire = (issue: Issue) => {
  const reason = toReasonFrame(readFrame(issue.frame), issue.exception_type);
  return {
    id: issue.id,
    number: issue.number,
    kind: issue.kind,
    state: issue.state,
    annotation: issue.annotation,
    exception_type: issue.exception_type,
    message: issue.message,
    class_name: issue.class_name,
    method: issue.method,
    file: issue.file,
    ...(issue.line > 0 ? { line: issue.line } : {}),
    ...(reason ? { reason_frame: reason } : {}),
    count: issue.count,
    device_count: issue.device_count,
    first_at: toIso(issue.first_at),
    last_at: toIso(issue.last_at),
    first_version: issue.first_version,
    last_version: issue.last_version,
    ...(issue.closed_version === null ? {} : { closed_version: issue.closed_version }),
    ...(issue.regressed_version === null ? {} : { regressed_version: issue.regressed_version }),
    ...(issue.regressed_at === null ? {} : { regressed_at: toIso(issue.regressed_at) }),
  };
};

export const reportToWire = (report: Report) =>
  known({
    errorId: report.id,
    timestamp: toIso(report.at),
    deviceName: report.model,
    osVersion: report.os_version,
    osType: report.os_name,
    country: report.country,
    language: report.language,
    userId: report.user_id ?? undefined,
    hasBreadcrumbs: report.session_id !== null,
    hasAttachments: report.has_attachments === 1,
    errorGroupId: report.group_id ?? undefined,
    appVersion: report.version,
    appBuild: report.build,
  });

export const foundReportToWire = (report: FoundReport) => ({
  ...reportToWire(report),
  ...known({
    issueId: report.issue_id ?? undefined,
    exceptionType: report.exception_type ?? undefined,
    exceptionMessage: report.message ?? undefined,
  }),
});

const frameToWire = (relevant: ReadonlySet<Frame>) => (frame: Frame) => ({
  ...known({ address: frame.address, ...frameFields(frame) }),
  app_code: frame.isApp,
  code_raw: frame.raw,
  code_formatted: formatFrame(frame),
  relevant: relevant.has(frame),
});

/** The stack of a report, or only the parts that determine its group. */
export function stackToWire(report: Report, stack: Stack, { isGroupingOnly = false } = {}) {
  const { exception, reasonFrame } = groupReport(report.kind, stack);
  const toFrame = frameToWire(new Set(reasonFrame ? [reasonFrame] : []));
  const { platform } = stack;
  const exceptionToWire = (one: ExceptionStack) => ({
    ...known({ reason: one.message, type: one.type }),
    frames: one.frames.map(toFrame),
    relevant: one === exception,
    platform,
  });
  const threadToWire = (thread: ThreadStack) => ({
    title: thread.name || `Thread ${thread.id}`,
    frames: thread.frames.map(toFrame),
    ...(thread.exception ? { exception: exceptionToWire(thread.exception) } : {}),
    relevant: thread.isCrashed,
    platform,
    crashed: thread.isCrashed,
  });
  const threads = isGroupingOnly ? stack.threads.filter(({ isCrashed }) => isCrashed) : stack.threads;
  return {
    ...known({ title: exception.type, reason: exception.message }),
    threads: threads.map(threadToWire),
    exception: exceptionToWire(exception),
    ...(isGroupingOnly
      ? {}
      : {
          exceptions: stack.exceptions.map(exceptionToWire),
          binaries: stack.images.map(({ id, name, path, start, end, isApp }) => ({
            id,
            name,
            path,
            start_address: start,
            end_address: end,
            app_code: isApp,
          })),
          notes: stack.notes,
          missing_symbols: (stack.missing ?? []).map(({ id, name, reason, message, command }) =>
            known({ id, name, reason, message, command }),
          ),
        }),
  };
}

export const toTextResponse = (text: string) => ({ text, etag: `"${sha256(text)}"` });
