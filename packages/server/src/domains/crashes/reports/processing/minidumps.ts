import type { Ctx } from '../../../../context.ts';
import { WorkerLimit } from '../../../../workers/index.ts';
import { Unreadable } from '../../../../workers/unreadable.ts';
import { type WalkedDump, walkMinidump } from '../../../symbols/index.ts';
import type { CrashAttachmentsTable } from '../../crashes.tables.ts';
import type { Frame, Stack } from '../../stacks/stack.ts';
import { findReportAttachments, getOmissionReason } from '../attachments.ts';
import { isInBundle } from './log-stack.ts';

type Attachment = CrashAttachmentsTable;

export const isMinidump = ({ file_name }: Pick<Attachment, 'file_name'>): boolean => /\.dmp$/i.test(file_name);

/** For native code on Android, only the attached minidump contains the stack. */
const needsMinidump = ({ platform, exceptions, threads }: Stack): boolean =>
  platform === 'ndk' && [...exceptions, ...threads].every(({ frames }) => frames.length === 0);

function buildDumpStack(stack: Stack, { cpu, reason, address, modules, threads }: WalkedDump): Stack {
  const images = modules.map(({ id, name, path, start, end }) => ({
    id,
    name,
    path,
    start,
    end,
    architecture: cpu,
    isApp: isInBundle(path, undefined),
  }));
  const toFrame = ({ address, module, offset }: (typeof threads)[number]['frames'][number]): Frame => {
    const image = module === undefined ? undefined : images[module];
    return {
      raw: [image?.name, address].filter(Boolean).join(' '),
      language: 'Unknown',
      isApp: image?.isApp ?? false,
      isUnsymbolicated: true,
      isExact: true,
      address,
      ...(image === undefined ? {} : { image: image.name, imageId: image.id }),
      ...(offset === undefined ? {} : { offset }),
    };
  };
  const walked = threads.map(({ id, name, hasCrashed, frames }) => ({
    id,
    name,
    isCrashed: hasCrashed,
    frames: frames.map(toFrame),
  }));
  const crashed = walked.find(({ isCrashed }) => isCrashed) ?? walked[0];
  const message = [reason, address].filter(Boolean).join(' at ');
  return {
    ...stack,
    images,
    threads: walked,
    exceptions: [{ type: reason ?? 'minidump', message, frames: crashed?.frames ?? [] }],
    registers: threads.find(({ hasCrashed }) => hasCrashed)?.registers ?? {},
    notes: threads.some(({ isCut }) => isCut)
      ? [...stack.notes, 'Cut the stacks of some threads, which were too deep.']
      : stack.notes,
  };
}

/** Returns the stack from the minidump of a report. `arrived` are attachments that are not stored yet. */
export async function readMinidump(
  ctx: Ctx,
  stack: Stack,
  { appId, sentId, installId }: { appId: string; sentId: string; installId: string },
  arrived: readonly Attachment[],
): Promise<Stack> {
  if (!needsMinidump(stack)) return stack;
  const now = arrived.filter(({ error_id, install_id }) => error_id === sentId && install_id === installId);
  const dump = now.find(isMinidump) ?? (await findReportAttachments(ctx, appId, sentId, installId)).find(isMinidump);
  const withNote = (note: string): Stack => ({ ...stack, notes: [...stack.notes, note] });
  if (!dump) return withNote('The minidump of this crash has not arrived yet.');
  const leftOut = getOmissionReason(dump);
  if (leftOut !== undefined) return withNote(`The minidump of this crash was not stored: ${leftOut}.`);
  try {
    return buildDumpStack(stack, await walkMinidump(ctx, { appId, blobKey: dump.blob_key }));
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof WorkerLimit)) throw error;
    return withNote(`Can't read the minidump: ${error.message}`);
  }
}
